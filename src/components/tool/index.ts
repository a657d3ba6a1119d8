export { inputJsonSchema, outputJsonSchema } from '../../common/engine/model/field-schema.js';
export { ToolComponent } from './tool.component.js';
export type { ToolCatalogue } from './tool-catalogue.js';
