import { Command, InvalidArgumentError } from 'commander';
import type { ApiKey, MintedApiKey, Scope } from '../modules/access/index.js';
import type { HelixApp } from '../common/platform/http/create-app.js';
import { parseDuration } from '../common/engine/api/options.js';
import { CommandFailure } from './failure.js';
import { placeOf } from './organization-place.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

interface CreateOptions {
  readonly scopes?: readonly string[];
  readonly projects?: readonly string[];
  readonly expires?: number;
  readonly organization?: string;
  readonly json?: boolean;
}

interface RotateOptions {
  /** Seconds. */
  readonly grace?: number;
  readonly organization?: string;
  readonly json?: boolean;
}

export function keysCommand(terminal: Terminal): Command {
  const keys = new Command('keys').description(
    'make, list, rotate and revoke API keys (needs the database, no running Helix)',
  );
  const organization = ['--organization <id>', 'workspace; default that of the first run'] as const;
  keys
    .command('create')
    .description('make a key; it is printed once and kept nowhere')
    .argument('<name>', 'what the key is for')
    .option('--scopes <list>', 'comma-separated; default all', listed)
    .option('--projects <list>', 'comma-separated ids of projects the key is limited to; default all', listed)
    .option('--expires <span>', 'time until the key ends, such as 90d', span)
    .option(...organization)
    .option('--json', 'as JSON')
    .action(async (name: string, options: CreateOptions) => {
      show(await withApp(terminal, (app) => create(app, name, options)), terminal, options.json);
    });
  keys
    .command('list')
    .description('list the keys of a workspace, never their secrets')
    .option(...organization)
    .option('--json', 'as JSON')
    .action(async (options: { organization?: string; json?: boolean }) => {
      const found = await withApp(terminal, async (app) => {
        const { ApiKeysService } = await import('../modules/access/index.js');
        return app.nest.get(ApiKeysService).list((await placeOf(app, options.organization)).organizationId);
      });
      terminal.out(options.json ? `${JSON.stringify(found.map(shown), null, 2)}\n` : describe(found));
    });
  keys
    .command('rotate')
    .description('give a key a new secret under its old id; it is printed once')
    .argument('<id>', 'as "helix keys list" shows it')
    .option('--grace <span>', 'how long the former secret stays good, 0 to 7d; default 24h', grace)
    .option(...organization)
    .option('--json', 'as JSON')
    .action(async (id: string, options: RotateOptions) => {
      const minted = await withApp(terminal, async (app) => {
        const { ApiKeysService, operator } = await import('../modules/access/index.js');
        const { organizationId } = await placeOf(app, options.organization);
        const how = { graceSeconds: options.grace ?? 86_400, revision: null };
        return app.nest.get(ApiKeysService).rotate(organizationId, id, how, operator);
      });
      show(minted, terminal, options.json);
    });
  keys
    .command('revoke')
    .description('end a key at once, for good')
    .argument('<id>', 'as "helix keys list" shows it')
    .option(...organization)
    .action(async (id: string, options: { organization?: string }) => {
      await withApp(terminal, async (app) => {
        const { ApiKeysService, operator } = await import('../modules/access/index.js');
        const { organizationId } = await placeOf(app, options.organization);
        await app.nest.get(ApiKeysService).revoke(organizationId, id, null, operator);
      });
      terminal.out(`Revoked ${id}.\n`);
    });
  return keys;
}

/** The secret alone on standard output, so that a script can take it from there. */
function show({ key, secret }: MintedApiKey, terminal: Terminal, asJson = false): void {
  if (asJson) return terminal.out(`${JSON.stringify({ id: key.id, apiKey: secret }, null, 2)}\n`);
  terminal.err(`Key "${key.name}" (${key.id}). Keep it: it is not shown again.\n`);
  terminal.out(`${secret}\n`);
}

async function create(app: HelixApp, name: string, options: CreateOptions): Promise<MintedApiKey> {
  const { ApiKeysService, operator, scopes } = await import('../modules/access/index.js');
  const wanted = options.scopes ?? scopes;
  const unknown = wanted.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new CommandFailure(`There is no scope ${unknown.join(', ')}; there are ${scopes.join(', ')}.`);
  }
  const place = await placeOf(app, options.organization);
  const draft = {
    ...place,
    name,
    scopes: wanted as readonly Scope[],
    projectIds: options.projects ?? null,
    expiresAt: options.expires === undefined ? null : new Date(Date.now() + options.expires),
  };
  return app.nest.get(ApiKeysService).create(draft, operator);
}

function describe(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return 'No keys.\n';
  const rows = keys.map((key) => [
    key.id,
    key.name,
    stateOf(key),
    day(key.createdAt),
    day(key.expiresAt),
    day(key.lastUsedAt),
    key.scopes.join(','),
  ]);
  return `${columns([['ID', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES'], ...rows])}\n`;
}

const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? '-';

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'live';
}

function shown(key: ApiKey): object {
  const { id, name, kind, scopes, projectIds, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return {
    id,
    name,
    kind,
    state: stateOf(key),
    scopes,
    projectIds,
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
  };
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function span(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null && milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('Write a time span such as 12h or 90d.');
}

function grace(text: string): number {
  const milliseconds = text === '0' ? 0 : parseDuration(text);
  if (milliseconds !== null && milliseconds >= 0 && milliseconds <= 7 * 86_400_000)
    return Math.round(milliseconds / 1000);
  throw new InvalidArgumentError('Write 0 or a time span up to 7d, such as 24h.');
}
