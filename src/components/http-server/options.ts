import {
  choice,
  duration,
  flag,
  integer,
  list,
  text,
  type OptionValues,
} from '../../common/engine/api/options.js';
import { guardOptions } from '../../common/engine/policies/edge-guard.js';

export const httpServerOptions = {
  method: list(
    'Methods that are served, e.g. GET,POST. Without the option POST where the workflow has an input-schema, else GET and POST. HEAD comes with GET.',
  ),
  consumes: list('Media types that are accepted, e.g. application/json,text/*. Without the option all are.'),
  produces: text('Content type of the reply where the workflow sets no Content-Type header.'),
  'max-body-bytes': integer('Largest accepted request body in bytes.', 1_048_576, { minimum: 0 }),
  timeout: duration(
    'How long one request may take before it is answered with 504; 0 is unlimited. Without the option the time-out of the workflow, else 60s.',
  ),
  'cors-origins': list('Web origins whose pages may call, e.g. https://app.example.com; * is any.'),
  'match-prefix': flag('Serve every path below as well; the remaining path is the parameter "rest".'),
  'expose-errors': flag('Show inner messages and details of failures to the caller: for development.'),
  'body-as': choice(
    'auto decodes the body by its content type; bytes leaves it as it came.',
    ['auto', 'bytes'],
    'auto',
  ),
  ...guardOptions,
};

export type HttpServerOptions = OptionValues<typeof httpServerOptions>;
