import type { OpenAPIObject } from '@nestjs/swagger';
import { headersNamed, headersOfAll } from './answer-headers.js';
import { apiErrorResponse } from './api-error-response.js';
import { operationsOf } from './operations-of.js';

/** Answers any operation may give, in the document though no operation names them. */
const everywhere = {
  '400': 'The request cannot be read: its path, its query, or a body that nobody asked for.',
  '413': 'The body is larger than 1 MiB.',
  '429': 'Too many requests; wait as long as Retry-After says.',
  '500': 'The server failed. Retry only where an idempotency key makes that safe.',
  '503': 'The server is starting, stopping or overloaded; try again.',
} as const;

/** Adds to every operation the answers that the server may give to any, and to every answer the headers of all. */
export function addCommonAnswers(document: OpenAPIObject): void {
  for (const operation of operationsOf(document)) {
    for (const [status, description] of Object.entries(everywhere))
      operation.responses[status] ??= apiErrorResponse(description, Number(status));
    for (const response of Object.values(operation.responses))
      if (response !== undefined && !('$ref' in response))
        response.headers = { ...headersNamed(...headersOfAll), ...response.headers };
  }
}
