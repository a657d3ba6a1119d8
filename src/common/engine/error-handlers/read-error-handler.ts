import * as fields from '../api/fields/index.js';
import type { ShapeValues } from '../api/fields/index.js';
import { retryShape } from './retry-policy.js';

export const errorHandlerShape = {
  ...retryShape,
  'dead-letter': fields.uri('Where a copy goes of what could not be done; the failure itself goes on.', {
    optional: true,
  }),
} as const;

export type ErrorHandlerValues = ShapeValues<typeof errorHandlerShape>;
