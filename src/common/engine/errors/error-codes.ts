/**
 * What every failure of Helix means, in one table. A code is `AREA.NAME`; the part after the dot is unique, and its
 * lower case is the machine code that the REST API sends in `X-Helix-Error`.
 *
 * The REST filter, the JSON-RPC mapper, the retry handler and the documentation read these rows and nothing else.
 */

/** Whether the same operation may succeed when it is tried again: at once, after a wait, or never. */
export type RetryAdvice = 'never' | 'later';

/**
 * Who may read the message: `caller` = it is written for whoever sent the request; `operator` = it may name inner
 * things, so a caller sees only the summary.
 */
export type Exposure = 'caller' | 'operator';

export interface ErrorMeaning {
  /** HTTP status (RFC 9110). */
  readonly http: number;
  /** JSON-RPC 2.0 error code for failures of the protocol itself. */
  readonly jsonRpc: number;
  readonly retry: RetryAdvice;
  readonly exposure: Exposure;
  /** What a caller is told when the message itself is for the operator. */
  readonly summary: string;
}

const row = (
  http: number,
  jsonRpc: number,
  retry: RetryAdvice,
  exposure: Exposure,
  summary: string,
): ErrorMeaning => ({ http, jsonRpc, retry, exposure, summary });

export const errorCodes = {
  'ENGINE.INTERNAL': row(500, -32603, 'never', 'operator', 'The operation failed on the server.'),
  'ENGINE.CANCELLED': row(499, -32603, 'never', 'caller', 'The caller went away before the work was done.'),
  'ENGINE.TIMED_OUT': row(504, -32603, 'later', 'caller', 'The work took longer than its time-out allows.'),
  'ENGINE.STOPPING': row(503, -32603, 'later', 'caller', 'The server is shutting down.'),
  'ENGINE.OVERLOADED': row(503, -32603, 'later', 'caller', 'Too much work is queued; try again later.'),
  'ENGINE.NO_CONSUMER': row(503, -32603, 'later', 'operator', 'No workflow listens on the address.'),
  'ENGINE.ENDLESS_RECURSION': row(500, -32603, 'never', 'operator', 'The workflow calls itself without end.'),
  'ENGINE.UNKNOWN_WORKFLOW': row(404, -32602, 'never', 'caller', 'There is no such workflow.'),
  'ENGINE.WORKFLOW_DISABLED': row(
    409,
    -32603,
    'never',
    'caller',
    'The workflow is disabled in the workspace: enable it there.',
  ),
  'ENGINE.START_FAILED': row(409, -32603, 'later', 'caller', 'The workflow could not be started.'),
  'ENGINE.CIRCUIT_OPEN': row(
    503,
    -32603,
    'later',
    'operator',
    'A service that this needs has failed too often; try again later.',
  ),
  'ENGINE.DUPLICATE_IN_PROGRESS': row(
    409,
    -32602,
    'later',
    'caller',
    'The same message is being worked on already.',
  ),
  'ENGINE.INVALID_MESSAGE': row(422, -32602, 'never', 'caller', 'The message is not what is expected here.'),
  'ENGINE.NOBODY_TO_ASK': row(
    409,
    -32603,
    'never',
    'caller',
    'The workflow must ask its caller, who cannot be asked this way.',
  ),
  'ENGINE.THROWN': row(500, -32603, 'never', 'caller', 'The workflow reported a failure.'),

  'TEST.UNMOCKED_TARGET': row(
    500,
    -32603,
    'never',
    'operator',
    'A test reached a target outside that nothing stands in for.',
  ),

  'WORKSPACE.RELOAD_REFUSED': row(
    409,
    -32603,
    'never',
    'caller',
    'The workspace has problems and was not loaded; what ran before goes on.',
  ),
  'WORKSPACE.INVALID': row(500, -32603, 'never', 'operator', 'The workspace is invalid.'),
  'WORKSPACE.UNKNOWN_COMPONENT': row(
    500,
    -32603,
    'never',
    'operator',
    'The workspace names an unknown component.',
  ),
  'WORKSPACE.UNKNOWN_OPTION': row(500, -32603, 'never', 'operator', 'The workspace names an unknown option.'),
  'WORKSPACE.WRONG_OPTION': row(
    500,
    -32603,
    'never',
    'operator',
    'An option of the workspace has a wrong value.',
  ),
  'WORKSPACE.UNSUPPORTED_END': row(
    500,
    -32603,
    'never',
    'operator',
    'The component cannot be used in this place.',
  ),

  'EXPRESSION.INVALID_SCRIPT': row(
    500,
    -32603,
    'never',
    'operator',
    'An expression of the workflow is invalid.',
  ),
  'EXPRESSION.EVALUATION_FAILED': row(
    500,
    -32603,
    'never',
    'operator',
    'An expression of the workflow failed.',
  ),
  'EXPRESSION.BUDGET_EXCEEDED': row(
    500,
    -32603,
    'never',
    'operator',
    'An expression used more than its budget.',
  ),

  'TOOL.UNKNOWN_TOOL': row(404, -32602, 'never', 'caller', 'No such tool or call in this workspace.'),
  'TOOL.INVALID_ARGUMENTS': row(
    400,
    -32602,
    'never',
    'caller',
    "The arguments do not match the tool's schema.",
  ),
  'TOOL.RULE_VIOLATED': row(400, -32602, 'never', 'caller', "The arguments break one of the tool's rules."),

  'HTTP.BAD_REQUEST': row(400, -32600, 'never', 'caller', 'The request could not be read.'),
  'HTTP.INVALID_CURSOR': row(400, -32602, 'never', 'caller', 'The cursor does not belong to this list.'),
  'HTTP.VALIDATION_FAILED': row(400, -32602, 'never', 'caller', 'The request body failed schema validation.'),
  'HTTP.UNKNOWN_ROUTE': row(404, -32601, 'never', 'caller', 'There is nothing at this address.'),
  'HTTP.METHOD_NOT_ALLOWED': row(405, -32600, 'never', 'caller', 'The method is not allowed here.'),
  'HTTP.PAYLOAD_TOO_LARGE': row(413, -32600, 'never', 'caller', 'The body is larger than allowed.'),
  'HTTP.UNSUPPORTED_MEDIA_TYPE': row(
    415,
    -32600,
    'never',
    'caller',
    'The content type is not accepted here.',
  ),
  'HTTP.UNPROCESSABLE': row(422, -32602, 'never', 'caller', 'The body does not match the input schema.'),
  'HTTP.TARGET_UNREACHABLE': row(502, -32603, 'later', 'operator', 'The other server did not answer.'),
  'HTTP.TARGET_REFUSED': row(502, -32603, 'never', 'operator', 'The address may not be called.'),
  'HTTP.TARGET_FAILED': row(502, -32603, 'later', 'operator', 'The other server answered with an error.'),
  'HTTP.UNREADABLE_REPLY': row(
    502,
    -32603,
    'never',
    'operator',
    'The reply of the other server is unusable.',
  ),

  'SQL.DATABASE_UNREACHABLE': row(503, -32603, 'later', 'operator', 'The database does not answer.'),
  'SQL.STATEMENT_FAILED': row(500, -32603, 'never', 'operator', 'The database refused the statement.'),
  'SQL.MISSING_VALUE': row(500, -32603, 'never', 'operator', 'The statement lacks a value.'),

  'FILE.NOT_WRITTEN': row(500, -32603, 'never', 'operator', 'The file could not be written.'),

  'ACCESS.UNAUTHENTICATED': row(401, -32001, 'never', 'caller', 'No valid session or API key.'),
  'ACCESS.IP_NOT_ALLOWED': row(403, -32001, 'never', 'caller', 'The address is not allowed to connect.'),
  'ACCESS.RATE_LIMITED': row(429, -32001, 'later', 'caller', 'Too many requests; wait before the next.'),
  'ACCESS.CROSS_SITE_REQUEST': row(
    403,
    -32001,
    'never',
    'caller',
    'A session cookie is not accepted from another site.',
  ),
  'ACCESS.OUTSIDE_ALLOWLIST': row(404, -32001, 'never', 'caller', 'The resource does not exist.'),
  'ACCESS.NO_ACTIVE_ORGANIZATION': row(
    400,
    -32602,
    'never',
    'caller',
    'The request named no active organization.',
  ),
  'ACCESS.NOT_A_MEMBER': row(403, -32001, 'never', 'caller', 'Not a member of the named organization.'),
  'ACCESS.INSUFFICIENT_ROLE': row(
    403,
    -32001,
    'never',
    'caller',
    'Only an owner or admin of the workspace may do this.',
  ),
  'ACCESS.INSUFFICIENT_SCOPE': row(403, -32001, 'never', 'caller', 'The API key lacks the scope for this.'),
  'ACCESS.NO_PROJECT_ACCESS': row(403, -32001, 'never', 'caller', 'No access to this project.'),
  'ACCESS.UNKNOWN_API_KEY': row(404, -32602, 'never', 'caller', 'No such API key in this workspace.'),
  'ACCESS.NAME_TAKEN': row(409, -32602, 'never', 'caller', 'The name is taken; choose another.'),

  'ACCESS.STALE_REVISION': row(
    409,
    -32602,
    'never',
    'caller',
    'It was changed in the meantime; read it again.',
  ),
  'ACCESS.LAST_OWNER': row(409, -32602, 'never', 'caller', 'The workspace would be left without an owner.'),
  'ACCESS.ALREADY_A_MEMBER': row(
    409,
    -32602,
    'never',
    'caller',
    'The person belongs to the workspace already.',
  ),
  'ACCESS.UNKNOWN_MEMBER': row(404, -32602, 'never', 'caller', 'No such member in this workspace.'),
  'ACCESS.UNKNOWN_INVITATION': row(404, -32602, 'never', 'caller', 'No such invitation.'),
  'ACCESS.ACCOUNT_EXISTS': row(409, -32602, 'never', 'caller', 'There is an account already; log in first.'),
  'ACCESS.WRONG_PASSWORD': row(403, -32001, 'never', 'caller', 'The current password is wrong.'),
  'ACCESS.LOGIN_REFUSED': row(403, -32001, 'never', 'caller', 'The corporate login was refused.'),
  'ACCESS.LOGIN_PROVIDER_UNAVAILABLE': row(
    503,
    -32603,
    'later',
    'caller',
    'The identity provider does not answer.',
  ),
  'ACCESS.SESSION_REQUIRED': row(403, -32001, 'never', 'caller', 'This needs a browser session.'),
  'ACCESS.UNVERIFIED_SESSION': row(403, -32001, 'never', 'caller', 'This needs a verified e-mail address.'),

  'CALL.UNKNOWN_CALL': row(404, -32602, 'never', 'caller', 'No such tool or call in this workspace.'),
  'CALL.UNKNOWN_PROJECT': row(404, -32602, 'never', 'caller', 'No such project in this workspace.'),
  'CALL.IDEMPOTENCY_MISMATCH': row(
    409,
    -32602,
    'never',
    'caller',
    'This key already identifies a different request.',
  ),
  'CALL.CONNECTION_UNAVAILABLE': row(
    409,
    -32602,
    'never',
    'caller',
    'The selected connection is unavailable.',
  ),
  'CALL.CONNECTION_REMOVED': row(
    409,
    -32602,
    'never',
    'caller',
    'The connection was removed before the call ran.',
  ),
  'CALL.INSUFFICIENT_HEADROOM': row(
    402,
    -32602,
    'never',
    'caller',
    'Insufficient workspace spending headroom for this reservation.',
  ),
  'CALL.UNSERIALIZABLE_RESULT': row(
    500,
    -32603,
    'never',
    'caller',
    'The result of the tool cannot be written as JSON.',
  ),
  'CALL.OUTCOME_UNKNOWN': row(
    500,
    -32603,
    'never',
    'caller',
    'The call was started, but its outcome is not known.',
  ),

  'LETTER.UNKNOWN_DEAD_LETTER': row(404, -32602, 'never', 'caller', 'No such dead letter in this workspace.'),
  'LETTER.NOT_OPEN': row(409, -32602, 'never', 'caller', 'The dead letter was sent again or discarded.'),
  'LETTER.NOT_REPLAYABLE': row(409, -32602, 'never', 'caller', 'The dead letter cannot be sent again.'),
  'UPSTREAM.UNREACHABLE': row(503, -32603, 'later', 'caller', 'The service behind the tool did not answer.'),
  'UPSTREAM.UNAVAILABLE': row(502, -32603, 'later', 'caller', 'The service behind the tool has trouble.'),
  'UPSTREAM.RATE_LIMITED': row(
    502,
    -32603,
    'later',
    'caller',
    'The service behind the tool asks to slow down.',
  ),
  'UPSTREAM.REFUSED': row(502, -32602, 'never', 'caller', 'The service behind the tool refused the call.'),
  'UPSTREAM.CREDENTIAL_REFUSED': row(
    502,
    -32602,
    'never',
    'caller',
    'The service behind the tool refused the credential.',
  ),
  'UPSTREAM.UNPAID': row(
    502,
    -32602,
    'never',
    'caller',
    'The account at the service behind the tool has not enough balance.',
  ),
  'UPSTREAM.RETIRED': row(502, -32602, 'never', 'caller', 'The tool does not exist any more.'),
  'UPSTREAM.UNREADABLE': row(502, -32603, 'never', 'caller', 'The answer of the tool cannot be used.'),

  'FUNDING.OPERATOR_ONLY': row(403, -32001, 'never', 'caller', 'Only the operator moves money here.'),

  'PLATFORM.WRONG_CONFIGURATION': row(500, -32603, 'never', 'operator', 'The configuration is wrong.'),
  'PLATFORM.DATABASE_UNAVAILABLE': row(
    503,
    -32603,
    'later',
    'operator',
    'The database does not answer; try again later.',
  ),
  'PLATFORM.SECRET_UNREADABLE': row(
    500,
    -32603,
    'never',
    'operator',
    'A stored secret cannot be opened with the present keys.',
  ),

  'MCP.CONNECT_FAILED': row(502, -32603, 'never', 'operator', 'The MCP server could not be reached.'),
  'MCP.CONNECTION_LOST': row(502, -32603, 'later', 'operator', 'The connection to the MCP server was lost.'),
  'MCP.TOOL_FAILED': row(502, -32603, 'never', 'caller', 'The MCP tool returned an error.'),
  'MCP.EGRESS_REFUSED': row(502, -32603, 'never', 'operator', 'The address is not allowed as a target.'),
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof errorCodes;

/** The machine code of the REST header `X-Helix-Error`: `CALL.IDEMPOTENCY_MISMATCH` → `idempotency_mismatch`. */
export function machineCode(code: ErrorCode): string {
  return code.slice(code.indexOf('.') + 1).toLowerCase();
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCodes, text);
}
