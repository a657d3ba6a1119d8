import { Command, InvalidArgumentError, Option } from 'commander';
import type { HelixApp } from '../common/platform/http/create-app.js';
import type { AuditEntry } from '../modules/audit/index.js';
import { placeOf } from './organization-place.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

interface AuditOptions {
  readonly limit?: number;
  readonly action?: string;
  readonly organization?: string;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

/** Entries of one query: an export holds no more of them at a time. */
const pageSize = 1_000;

export function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('tell who changed what in a workspace, newest first')
    .option('--limit <n>', 'how many entries, or "all"; default 30', count)
    .option('--action <name>', 'only entries of this action, such as apiKey.create')
    .option('--organization <id>', 'workspace; default that of the first run')
    .addOption(new Option('--json', 'as a JSON array').conflicts('ndjson'))
    .option('--ndjson', 'as JSON, one entry a line, written as they are read: for exports')
    .action(async (options: AuditOptions) => {
      const kept: AuditEntry[] = [];
      await withApp(terminal, async (app) => {
        for await (const page of pagesOf(app, options))
          if (options.ndjson) terminal.out(page.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
          else kept.push(...page);
      });
      if (options.ndjson) return;
      terminal.out(options.json ? `${JSON.stringify(kept, null, 2)}\n` : describe(kept));
    });
}

async function* pagesOf(
  app: HelixApp,
  { limit = 30, action = null, organization }: Omit<AuditOptions, 'action'> & { action?: string | null },
): AsyncGenerator<AuditEntry[]> {
  const { AuditService } = await import('../modules/audit/index.js');
  const audit = app.nest.get(AuditService);
  const { organizationId } = await placeOf(app, organization);
  let left = limit;
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await audit.list(organizationId, {
      action,
      limit: Math.min(left, pageSize),
      cursor,
    });
    yield items;
    left -= items.length;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && left > 0);
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
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a number from 1, or "all".');
}
