import { Command, InvalidArgumentError } from 'commander';
import type { ApiKey, MintedApiKey, Scope } from '../modules/access/index.js';
import type { HelixApp } from '../common/platform/http/create-app.js';
import { parseDuration } from '../common/engine/api/options.js';
import { CommandFailure, environmentWrong } from './failure.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

interface CreateOptions {
  readonly scopes?: readonly string[];
  readonly expires?: number;
  readonly organization?: string;
  readonly json?: boolean;
}

export function keysCommand(terminal: Terminal): Command {
  const keys = new Command('keys').description(
    'make, list and revoke API keys (needs the database, no running Helix)',
  );
  const organization = ['--organization <id>', 'workspace; default that of the first run'] as const;
  keys
    .command('create')
    .description('make a key; it is printed once and kept nowhere')
    .argument('<name>', 'what the key is for')
    .option('--scopes <list>', 'comma-separated; default all', listed)
    .option('--expires <span>', 'time until the key ends, such as 90d', span)
    .option(...organization)
    .option('--json', 'as JSON')
    .action(async (name: string, options: CreateOptions) => {
      const minted = await withApp(terminal, (app) => create(app, name, options));
      if (options.json)
        terminal.out(`${JSON.stringify({ id: minted.key.id, apiKey: minted.secret }, null, 2)}\n`);
      else {
        terminal.err(`Key "${minted.key.name}" (${minted.key.id}). Keep it: it is not shown again.\n`);
        terminal.out(`${minted.secret}\n`);
      }
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
    .command('revoke')
    .description('end a key at once, for good')
    .argument('<id>', 'as "helix keys list" shows it')
    .option(...organization)
    .action(async (id: string, options: { organization?: string }) => {
      await withApp(terminal, async (app) => {
        const { ApiKeysService } = await import('../modules/access/index.js');
        const { organizationId } = await placeOf(app, options.organization);
        await app.nest.get(ApiKeysService).revoke(organizationId, id);
      });
      terminal.out(`Revoked ${id}.\n`);
    });
  return keys;
}

async function create(app: HelixApp, name: string, options: CreateOptions): Promise<MintedApiKey> {
  const { ApiKeysService, scopes } = await import('../modules/access/index.js');
  const wanted = options.scopes ?? scopes;
  const unknown = wanted.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new CommandFailure(`There is no scope ${unknown.join(', ')}; there are ${scopes.join(', ')}.`);
  }
  const place = await placeOf(app, options.organization);
  return app.nest.get(ApiKeysService).create({
    ...place,
    name,
    scopes: wanted as readonly Scope[],
    projectIds: null,
    expiresAt: options.expires === undefined ? null : new Date(Date.now() + options.expires),
  });
}

/** The workspace named, or the oldest; keys stand on its owner's membership. */
async function placeOf(
  app: HelixApp,
  named: string | undefined,
): Promise<{ organizationId: string; userId: string }> {
  const { OrganizationsService } = await import('../modules/organizations/index.js');
  const organizations = app.nest.get(OrganizationsService);
  const organizationId = named ?? (await organizations.all())[0]?.id;
  if (organizationId === undefined) {
    throw environmentWrong(
      'There is no workspace yet: start Helix once with "helix run", which makes the first.',
    );
  }
  const userId = await organizations.ownerOf(organizationId);
  if (userId === null) throw new CommandFailure(`There is no workspace "${organizationId}".`);
  return { organizationId, userId };
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
