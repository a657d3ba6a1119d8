import { columns, paintOf, type Terminal } from './terminal.js';

/** What a person needs in the first minute after the start. */
export interface StartFacts {
  readonly version: string;
  readonly apiUrl: string;
  readonly tools: number;
  readonly workflows: number;
  /** Where triggers listen on the network. */
  readonly listeners: readonly { readonly workflowId: string; readonly address: string }[];
  /** `bootstrap.json` with the first key; null where there is none. */
  readonly bootstrap: string | null;
  /** Whether a key can be read from it: it may have been edited, or cut short by a full disk. */
  readonly hasBootstrapKey: boolean;
  /** The first key itself, given only where it was made by this start. */
  readonly firstKey: string | null;
  /** The owner's login, given only where it was made by this start. */
  readonly firstLogin: { readonly email: string; readonly password: string | null } | null;
  /** A tool to try, with arguments that it takes. */
  readonly example: { readonly toolId: string; readonly input: unknown } | null;
}

/** The text that `helix run` prints once everything listens. */
export function startBanner(facts: StartFacts, terminal: Terminal): string {
  const paint = paintOf(terminal);
  const keyFile = facts.hasBootstrapKey ? facts.bootstrap : null;
  const key = terminal.isTerminal && facts.firstKey ? facts.firstKey : null;
  const rows = [
    ['API', `${facts.apiUrl}/v1/api`],
    ['Swagger UI', `${facts.apiUrl}/docs`],
    ['MCP', `${facts.apiUrl}/mcp`],
    ...(keyFile ? [['First key', keyFile]] : []),
    ...(key ? [['', paint.yellow(key)]] : []),
    ...(terminal.isTerminal && facts.firstLogin?.password
      ? [['Login', `${facts.firstLogin.email}  ${paint.yellow(facts.firstLogin.password)}`]]
      : []),
    ...facts.listeners.map(({ workflowId, address }) => [workflowId, address]),
  ];
  return [
    '',
    `${paint.bold(`Helix ${facts.version}`)} is running: ${count(facts.tools, 'tool')}, ${count(facts.workflows, 'workflow')}`,
    '',
    indent(columns(rows, 3)),
    ...(facts.example && keyFile ? ['', paint.dim('Call a tool'), indent(curlLine(facts, keyFile))] : []),
    ...(keyFile ? ['', paint.dim('Connect an MCP client'), indent(mcpLine(facts, keyFile))] : []),
    ...(facts.bootstrap && !keyFile ? ['', paint.yellow(unreadable(facts.bootstrap))] : []),
    '',
    paint.dim('Ctrl-C stops it and waits for what is running.'),
    '',
    '',
  ].join('\n');
}

/**
 * The key is read from its file by the line itself, so that it shows in no terminal, log or shell history. The
 * idempotency key names the tool: after a change of the workspace one key for all would be a 409.
 */
function curlLine({ apiUrl, example }: StartFacts, bootstrap: string): string {
  const body = JSON.stringify({ idempotencyKey: `try-${example?.toolId}`, input: example?.input ?? {} });
  return (
    `curl -sS ${apiUrl}/v1/api/tools/${example?.toolId}/call -H "x-api-key: ${keyFrom(bootstrap)}" ` +
    `-H 'content-type: application/json' -d ${quote(body)}`
  );
}

function mcpLine({ apiUrl }: StartFacts, bootstrap: string): string {
  return `claude mcp add --transport http helix ${apiUrl}/mcp --header "x-api-key: ${keyFrom(bootstrap)}"`;
}

const unreadable = (bootstrap: string): string =>
  `No key can be read from ${bootstrap}. Make another with "helix keys create <name>", and remove the file.`;
const keyFrom = (bootstrap: string): string =>
  `$(node -p "require('${bootstrap.replace(/['"\\$`]/g, '\\$&')}').apiKey")`;
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');
const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
