import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOperation } from '@nestjs/swagger';
import { ApiErrors, ApiInvalidBody } from '../../common/platform/http/openapi/errors.decorator.js';
import { type OperationRule, Rule } from './operation-rule.js';
import { whoMay } from './who-may.js';

export interface OperationInit extends OperationRule {
  readonly summary: string;
  readonly description?: string;
  /** The operation reads a JSON body: its 400 may be a ValidationError. */
  readonly hasBody?: boolean;
  /** Even an error may bring a new session cookie. */
  readonly errorsSetCookie?: boolean;
  /** Sentences of the contract for statuses beyond, or other than, the usual ones. */
  readonly errors?: Readonly<Partial<Record<400 | 401 | 402 | 403 | 404 | 409, string>>>;
}

/** The sentences that the contract has for the operations of a workspace. */
const usual = {
  400: 'The request named no active organization.',
  401: 'No valid session or API key.',
  403: 'Authenticated, but not a member of the named organization — or a client collaborator without the required access on this project.',
  404: 'The resource does not exist, or the caller is a task-scoped credential and this endpoint is outside its allowlist.',
} as const;

const known = {
  public: { 403: 'The address of the caller is not among those that this deployment lets in.' },
  identity: {
    401: usual[401],
    403: 'The credential is not of the kind that the operation asks for, or a page of another site made the request.',
    404: usual[404],
  },
  workspace: usual,
} as const;

/**
 * One operation of the API: what its caller needs (the guards read that), and its entry in the OpenAPI document with the
 * errors that follow from it.
 */
export function Operation({
  summary,
  description,
  hasBody = false,
  errorsSetCookie = false,
  errors = {},
  ...rule
}: OperationInit): MethodDecorator {
  const { 400: badRequest, ...others } = { ...known[rule.needs], ...errors };
  const decorators = [
    Rule(rule),
    ApiOperation({
      operationId: rule.id,
      summary,
      description: [description, whoMay(rule)].filter(Boolean).join('\n\n'),
      ...(rule.needs === 'public' && { security: [] }),
    }),
    ApiErrors(
      hasBody || badRequest === undefined ? others : { 400: badRequest, ...others },
      errorsSetCookie ? ['Set-Cookie'] : [],
    ),
  ];
  if (hasBody) decorators.push(ApiInvalidBody());
  if (rule.needs === 'workspace') decorators.push(organizationHeader);
  return applyDecorators(...decorators);
}

const organizationHeader = ApiHeader({
  name: 'X-Organization-Id',
  required: false,
  description: 'The workspace (organization) to act in. Omitted, the session’s active organization is used.',
  schema: { type: 'string' },
});
