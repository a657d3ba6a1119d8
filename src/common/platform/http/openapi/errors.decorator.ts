import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { headersNamed } from './answer-headers.js';
import { apiErrorResponse } from './api-error-response.js';

type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

/**
 * Documents the ApiError answers of an operation, status by status:
 * `@ApiErrors({ 401: 'No valid session or API key.', 404: 'No such call in this workspace.' })`.
 * 429, 500, 503 and, where there is a body, 413 are added to every operation by themselves.
 */
export function ApiErrors(
  sentences: Readonly<Partial<Record<ErrorStatus, string>>>,
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...Object.entries(sentences).map(([status, description]) =>
      ApiResponse({ status: Number(status), ...apiErrorResponse(description, Number(status)) }),
    ),
  );
}

/**
 * Documents the 400 of an operation with a body: a ValidationError where the body failed its schema, an ApiError where
 * something else of the request is wrong.
 */
export function ApiInvalidBody(
  description = 'The JSON body failed schema validation, or the request named no active organization.',
): MethodDecorator {
  const fields = [{ path: '/input', code: 'required', message: 'input is required.' }];
  return ApiResponse({
    status: 400,
    description,
    headers: headersNamed('X-Request-Id', 'X-Helix-Error'),
    content: {
      'application/json': {
        schema: { oneOf: [{ $ref: getSchemaPath('ValidationError') }, { $ref: getSchemaPath('ApiError') }] },
        examples: {
          validation: { value: { error: 'The request body is invalid. /input: input is required.', fields } },
          request: { value: { error: 'The request named no active organization.' } },
        },
      },
    },
  });
}
