import { choice, duration, flag, integer, text, texts } from '../../engine/api/fields/index.js';
import { node } from '../shape/nodes.js';

/** An entry of `catalogue:` that is an OpenAPI document, by the name that its tools' ids begin with. */
export const openApiShape = {
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

/** An entry of `catalogue:` that is an MCP server, by the name that its tools' ids begin with. */
export const mcpShape = {
  mcp: text('The MCP server: an http(s) address, or the program to start where it speaks over stdio.'),
  transport: choice(
    'Over HTTP: http is Streamable HTTP, sse the older HTTP with server-sent events.',
    ['http', 'sse'],
    'http',
  ),
  connection: flag(
    'Each workspace calls with the token that it saved under /v1/api/tools/connections/mcp/{name}, and sees what that token may see.',
  ),
  bearer: text('Token sent as "Authorization: Bearer", for all workspaces: take it from a variable.', null),
  headers: node('Headers that every request carries.', { type: 'object' }),
  args: texts('Arguments of the program.'),
  env: node('Variables of the program, beside PATH, HOME and the like.', { type: 'object' }),
  cwd: text('Working folder of the program; by default that of Helix.', null),
  era: choice(
    'Generation of the protocol: modern is 2026-07-28, legacy all before; auto asks the server.',
    ['auto', 'modern', 'legacy'],
    'auto',
  ),
  prefix: text('Put before the name of each tool in its id.', ''),
  include: texts('Only these tools, by their names; `*` stands for any letters.'),
  exclude: texts('Not these tools, by their names; `*` stands for any letters.'),
  refresh: duration('How long the list of tools is believed before the server is asked again.', 300_000),
  pin: choice(
    'What happens when the definition of a tool changes after it was first seen: warn logs it, block also refuses calls.',
    ['off', 'warn', 'block'],
    'off',
  ),
  redispatch: choice(
    'Whether a call whose outcome was lost is sent again: hints where the server calls the tool read-only or idempotent, with_upstream_key where the server heeds _meta["io.helix/idempotencyKey"].',
    ['hints', 'never', 'with_upstream_key'],
    'hints',
  ),
  'connect-timeout': duration('How long opening the session may take.', 15_000),
  timeout: duration('How long one call may take.', 60_000),
  'max-in-flight': integer('Calls at the same time in one session; more wait.', 64, { minimum: 1 }),
  'max-message-bytes': integer('Largest message taken from the server.', 16_777_216, { minimum: 1024 }),
} as const;
