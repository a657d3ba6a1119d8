import { text, texts } from '../../engine/api/fields/index.js';
import { node } from '../shape/nodes.js';

/** One entry of `catalogue:`, by the name that its tools' ids begin with. */
export const catalogueShape = {
  openapi: text(
    'The OpenAPI 3.0 to 3.2 document whose operations become tools: a file beside this one, or an http(s) address.',
  ),
  server: text('Base address of the API; by default the first server of the document.', null),
  auth: node(
    'For each security scheme of the document its key or token, or username and password: take them from variables.',
    { type: 'object' },
  ),
  headers: node('Headers that every request carries.', { type: 'object' }),
  include: texts('Only these operations, by their ids; `*` stands for any letters.'),
  exclude: texts('Not these operations, by their ids; `*` stands for any letters.'),
} as const;
