import {
  choice,
  duration,
  flag,
  integer,
  list,
  map,
  text,
  type OptionValues,
} from '../../common/engine/api/options.js';

export const mcpOptions = {
  transport: choice(
    'http is Streamable HTTP, sse the older HTTP with server-sent events, stdio a child process.',
    ['http', 'sse', 'stdio'],
    'http',
  ),
  scheme: choice('https for servers behind TLS.', ['http', 'https'], 'http'),
  bearer: text('Token sent as "Authorization: Bearer".', null, { secret: true }),
  headers: map('Headers sent with every request, e.g. X-API-Key.', { secret: true }),
  'connect-timeout': duration('How long opening the session may take.', 30_000),
  timeout: duration('How long a call may take without a sign of progress.', 60_000),
  era: choice(
    'Generation of the protocol: modern is 2026-07-28, legacy all before; auto asks the server.',
    ['auto', 'modern', 'legacy'],
    'auto',
  ),
  reconnect: flag(
    'Open a new session after the old one was lost. A call is sent again only when the server surely did not run it.',
  ),
  'retry-after': duration(
    'How long a failed first connection counts for all calls. Without the option until the workflow is restarted.',
  ),
  elicitation: choice(
    'What a server gets that asks for a form to be filled in: none is not asked at all; defaults accepts with the defaults of the form, and declines where a required field has none.',
    ['none', 'defaults'],
    'none',
  ),
  'max-in-flight': integer('Calls at the same time in one session; more wait.', 64, { minimum: 1 }),
  'max-message-bytes': integer('Largest message taken from the server.', 16_777_216, { minimum: 1024 }),
  args: list('Arguments of the child process.'),
  env: map('Variables of the child process, beside PATH, HOME and the like.', { secret: true }),
  cwd: text('Working folder of the child process.'),
};

export type McpOptions = OptionValues<typeof mcpOptions>;
