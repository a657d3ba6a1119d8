import { getSchemaPath } from '@nestjs/swagger';
import { type answerHeaders, headersNamed } from './answer-headers.js';

const moreHeaders: Readonly<Record<number, readonly ('Retry-After' | 'WWW-Authenticate')[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** An ApiError answer of an operation. Its description, a sentence of the contract, is the example as well. */
export function apiErrorResponse(
  description: string,
  status: number,
  headers: readonly (keyof typeof answerHeaders)[] = [],
) {
  const more = moreHeaders[status] ?? [];
  return {
    description,
    headers: headersNamed('X-Request-Id', 'X-Helix-Error', ...more, ...headers),
    content: {
      'application/json': { schema: { $ref: getSchemaPath('ApiError') }, example: { error: description } },
    },
  };
}
