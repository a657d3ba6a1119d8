import { getSchemaPath } from '@nestjs/swagger';
import { headersNamed } from './answer-headers.js';

/** An ApiError answer of an operation. Its description, a sentence of the contract, is the example as well. */
export function apiErrorResponse(description: string, status: number) {
  const mayBeRetried = status === 429 || status === 503;
  return {
    description,
    headers: headersNamed('X-Request-Id', 'X-Helix-Error', ...(mayBeRetried ? ['Retry-After' as const] : [])),
    content: {
      'application/json': { schema: { $ref: getSchemaPath('ApiError') }, example: { error: description } },
    },
  };
}
