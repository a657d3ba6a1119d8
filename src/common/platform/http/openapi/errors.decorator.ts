import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type answerHeaders, headersNamed } from './answer-headers.js';
import { apiErrorResponse } from './api-error-response.js';

type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

/**
 * Documents the ApiError answers of an operation, status by status:
 * `@ApiErrors({ 401: 'No valid session or API key.', 404: 'No such call in this workspace.' })`.
 * 429, 500, 503 and, where there is a body, 413 are added to every operation by themselves.
 */
export function ApiErrors(
  sentences: Readonly<Partial<Record<ErrorStatus, string>>>,
  headers: readonly (keyof typeof answerHeaders)[] = [],
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...Object.entries(sentences).map(([status, description]) =>
      ApiResponse({ status: Number(status), ...apiErrorResponse(description, Number(status), headers) }),
    ),
  );
}

/**
 * Documents what a client is to make of any status that an operation does not name. Wanted where none of the named ones
 * is a 2XX, as with a redirect: generators and linters ask for one answer at least that is always read.
 */
export function ApiAnyOtherFailure(): MethodDecorator {
  return ApiResponse({ status: 'default', ...apiErrorResponse('Any other failure.', 500) });
}

/**
 * Documents the 400 of an operation with a body: a ValidationError where the body failed its schema, an ApiError where
 * something else of the request is wrong.
 */
export function ApiInvalidBody(
  description = 'The JSON body failed schema validation, or the request named no active organization.',
): MethodDecorator {
  const fields = [{ path: '/input', code: 'required', message: 'input is required.' }];
  return eitherError(400, description, {
    validation: { error: 'The request body is invalid. /input: input is required.', fields },
    request: { error: 'The request named no active organization.' },
  });
}

/** Documents the 409 of an operation that loads the workspace: a ValidationError where its files are wrong. */
export function ApiRefusedWorkspace(description: string): MethodDecorator {
  const place = 'helpdesk.yaml:12:7';
  const message = 'There is no direct://gone.';
  return eitherError(409, description, {
    problems: {
      error: `The workspace was not loaded. ${place}: ${message}`,
      fields: [{ path: place, code: 'missing-target', message }],
    },
    other: { error: 'Another reload is under way.' },
  });
}

function eitherError(
  status: ErrorStatus,
  description: string,
  examples: Readonly<Record<string, object>>,
): MethodDecorator {
  return ApiResponse({
    status,
    description,
    headers: headersNamed('X-Request-Id', 'X-Helix-Error'),
    content: {
      'application/json': {
        schema: { oneOf: [{ $ref: getSchemaPath('ValidationError') }, { $ref: getSchemaPath('ApiError') }] },
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  });
}
