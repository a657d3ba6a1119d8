import { Command, InvalidArgumentError } from 'commander';
import type { AuditEntry } from '../modules/audit/index.js';
import { placeOf } from './organization-place.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

interface AuditOptions {
  readonly limit?: number;
  readonly action?: string;
  readonly organization?: string;
  readonly json?: boolean;
}

export function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('tell who changed what in a workspace, newest first')
    .option('--limit <n>', 'how many entries, 1 to 1000; default 30', count)
    .option('--action <name>', 'only entries of this action, such as apiKey.create')
    .option('--organization <id>', 'workspace; default that of the first run')
    .option('--json', 'as JSON')
    .action(async ({ limit = 30, action, organization, json }: AuditOptions) => {
      const { items } = await withApp(terminal, async (app) => {
        const { AuditService } = await import('../modules/audit/index.js');
        const { organizationId } = await placeOf(app, organization);
        const page = { action: action ?? null, limit, cursor: undefined };
        return app.nest.get(AuditService).list(organizationId, page);
      });
      terminal.out(json ? `${JSON.stringify(items, null, 2)}\n` : describe(items));
    });
}

function describe(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'No entries.\n';
  const rows = entries.map((entry) => [
    entry.createdAt.toISOString().slice(0, 19).replace('T', ' '),
    entry.action,
    entry.target,
    `${entry.actorType} ${entry.actorId}`,
    entry.address ?? '-',
    JSON.stringify(entry.details),
  ]);
  return `${columns([['TIME (UTC)', 'ACTION', 'TARGET', 'BY', 'FROM', 'DETAILS'], ...rows])}\n`;
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError('Write a number from 1 to 1000.');
}
