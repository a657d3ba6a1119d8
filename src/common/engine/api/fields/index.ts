/** The fields a step's shape is made of. Import the whole door as `fields`: `fields.text('…')`. */
export type { Field, Shape, ShapeValues } from './field.js';
export { expression, expressions, literal, predicate, strict } from './expressions.js';
export { steps, uri } from './routing.js';
export { choice, duration, flag, integer, number, text } from './scalars.js';
export { any, group, groups, named, texts } from './structures.js';
export { readShape } from './read-shape.js';
export { stepExtras } from './read-steps.js';
export { readUri } from './read-uri.js';
export { shapeDefs, shapeSchema } from './shape-schema.js';
