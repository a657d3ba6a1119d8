import { Command } from 'commander';
import { ApiClient } from './api-client.js';
import { CommandFailure } from './failure.js';
import { columns, paintOf, type Terminal } from './terminal.js';

interface Letter {
  readonly id: string;
  readonly queue: string;
  readonly failedStep: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly state: string;
  readonly replay: {
    readonly status: string;
    readonly error: { readonly code: string; readonly message: string } | null;
  } | null;
  readonly createdAt: string;
}

interface Filters {
  readonly queue?: string;
  readonly workflow?: string;
  readonly code?: string;
  readonly state?: string;
  readonly limit?: string;
  readonly all?: boolean;
  readonly url?: string;
  readonly json?: boolean;
}

const path = '/v1/api/dead-letters';

export function deadLettersCommand(terminal: Terminal): Command {
  const letters = new Command('dead-letters').description(
    'list, read, send again and discard what workflows could not do',
  );
  filtered(letters.command('list'))
    .description('list dead letters, newest first')
    .option('--state <state>', 'open, replayed or discarded')
    .option('--limit <n>', 'at most this many, 1 to 100', '30')
    .option('--json', 'the answer of the API as it is')
    .action(async (options: Filters) => {
      const api = await ApiClient.open(terminal, options);
      const { state, limit } = options;
      const query = new URLSearchParams({
        ...filterOf(options),
        ...(state ? { state } : {}),
        limit: limit ?? '',
      });
      const page = await api.get<{ items: readonly Letter[]; nextCursor: string | null }>(
        `${path}?${query.toString()}`,
      );
      terminal.out(options.json ? asJson(page) : describe(page.items, page.nextCursor !== null, terminal));
    });
  letters
    .command('show')
    .description('print a dead letter with its message, as JSON')
    .argument('<id>', 'as "helix dead-letters list" shows it')
    .option('--url <address>', 'address of the API')
    .action(async (id: string, options: Filters) => {
      const api = await ApiClient.open(terminal, options);
      terminal.out(asJson(await api.get(`${path}/${encodeURIComponent(id)}`)));
    });
  ending(letters, terminal, 'replay', 'send a dead letter to its workflow again, or all that match');
  ending(letters, terminal, 'discard', 'discard a dead letter, or all that match');
  return letters;
}

function filtered(command: Command): Command {
  return command
    .option('--queue <name>', 'only of dead-letter://name')
    .option('--workflow <id>', 'only of this workflow')
    .option('--code <code>', 'only with this error code')
    .option('--url <address>', 'address of the API');
}

function ending(letters: Command, terminal: Terminal, verb: 'replay' | 'discard', description: string): void {
  filtered(letters.command(verb))
    .description(description)
    .argument('[id]', 'one letter; without it those that the options name')
    .option('--all', 'every open letter')
    .option('--limit <n>', 'at most this many, 1 to 100', '100')
    .option('--json', 'the answer of the API as it is')
    .action(async (id: string | undefined, options: Filters) => {
      const filter = filterOf(options);
      if (id === undefined && Object.keys(filter).length === 0 && !options.all)
        throw new CommandFailure(
          'Name a letter, narrow them down (--queue, --workflow, --code), or say --all.',
        );
      const api = await ApiClient.open(terminal, options);
      if (id !== undefined) await endOne(api, id, verb, options, terminal);
      else await endMatching(api, { ...filter, limit: Number(options.limit) }, verb, options, terminal);
    });
}

async function endOne(
  api: ApiClient,
  id: string,
  verb: 'replay' | 'discard',
  { json }: Filters,
  terminal: Terminal,
): Promise<void> {
  const letter = await api.post<Letter>(`${path}/${encodeURIComponent(id)}/${verb}`, {});
  const { replay } = letter;
  if (json) terminal.out(asJson(letter));
  else if (verb === 'discard') terminal.out(`Discarded ${id}.\n`);
  else if (replay === null) terminal.out(`Sent ${id} again; it still runs.\n`);
  else if (replay.status === 'succeeded') terminal.out(`Sent ${id} again: done.\n`);
  if (replay?.status === 'failed')
    throw new CommandFailure(
      `Sent ${id} again, and it failed: ${replay.error?.code}: ${replay.error?.message}`,
    );
}

async function endMatching(
  api: ApiClient,
  body: object,
  verb: 'replay' | 'discard',
  { json }: Filters,
  terminal: Terminal,
): Promise<void> {
  const end = await api.post<Record<'matched' | 'succeeded' | 'failed' | 'skipped', number>>(
    `${path}/${verb}`,
    body,
  );
  const { matched, succeeded, failed, skipped } = end;
  const done = verb === 'replay' ? 'sent again' : 'discarded';
  const rest = [failed > 0 ? `${failed} failed` : '', skipped > 0 ? `${skipped} passed over` : '']
    .filter((part) => part !== '')
    .map((part) => `, ${part}`);
  terminal.out(json ? asJson(end) : `${succeeded} of ${matched} ${done}${rest.join('')}.\n`);
  if (failed > 0) throw new CommandFailure('');
}

function filterOf({ queue, workflow, code }: Filters): Record<string, string> {
  return {
    ...(queue ? { queue } : {}),
    ...(workflow ? { workflowId: workflow } : {}),
    ...(code ? { code } : {}),
  };
}

function describe(letters: readonly Letter[], hasMore: boolean, terminal: Terminal): string {
  if (letters.length === 0) return 'No dead letters.\n';
  const paint = paintOf(terminal);
  const rows = letters.map(({ id, queue, failedStep, error, state, createdAt }) => [
    id,
    createdAt.slice(0, 19).replace('T', ' '),
    state,
    queue,
    failedStep ?? '',
    error?.code ?? '',
  ]);
  const table = columns([['LETTER', 'WRITTEN (UTC)', 'STATE', 'QUEUE', 'FAILED AT', 'CODE'], ...rows]);
  return `${table}\n${hasMore ? paint.dim('… and older ones: narrow them down, or raise --limit.\n') : ''}`;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
