import { Command } from 'commander';
import { ApiClient } from './api-client.js';
import { columns, paintOf, type Terminal } from './terminal.js';

interface ToolRow {
  readonly id: string;
  readonly provider: string;
  readonly summary: string;
  readonly status: string;
  readonly pricing: { readonly model: string; readonly estimateMicros: number | null };
}

interface ToolSearch {
  readonly items: readonly ToolRow[];
  readonly total: number | null;
  readonly sources: readonly {
    readonly provider: string;
    readonly status: string;
    readonly message: string | null;
  }[];
}

export function toolsCommand(terminal: Terminal): Command {
  return new Command('tools')
    .description('list or search the tools of a running Helix')
    .argument('[query]', 'words to search for')
    .option('--provider <name>', 'only tools of this provider')
    .option('--limit <n>', 'at most this many, 1 to 100', '30')
    .option('--url <address>', 'address of the API')
    .option('--json', 'the answer of the API as it is')
    .action(async (query: string | undefined, options: ToolsOptions) => {
      const api = await ApiClient.open(terminal, options);
      const parameters = new URLSearchParams({ limit: options.limit });
      if (query) parameters.set('query', query);
      if (options.provider) parameters.set('provider', options.provider);
      const found = await api.get<ToolSearch>(`/v1/api/tools?${parameters.toString()}`);
      terminal.out(options.json ? `${JSON.stringify(found, null, 2)}\n` : describe(found, terminal));
    });
}

interface ToolsOptions {
  readonly provider?: string;
  readonly limit: string;
  readonly url?: string;
  readonly json?: boolean;
}

function describe(found: ToolSearch, terminal: Terminal): string {
  const paint = paintOf(terminal);
  const silent = found.sources
    .filter(({ status }) => status === 'unavailable')
    .map(
      ({ provider, message }) =>
        `${paint.yellow('!')} ${provider} does not answer${message ? `: ${message}` : ''}\n`,
    );
  if (found.items.length === 0) return `${silent.join('')}No tool matches.\n`;
  const rows = found.items.map(({ id, provider, pricing, summary, status }) => [
    id,
    provider,
    price(pricing),
    status === 'available' ? summary : `(${status}) ${summary}`,
  ]);
  const table = columns([['TOOL', 'PROVIDER', 'PRICE', 'SUMMARY'], ...rows]);
  const more = found.total !== null && found.total > found.items.length ? `… of ${found.total}\n` : '';
  return `${silent.join('')}${table}\n${more}`;
}

function price({ model, estimateMicros }: ToolRow['pricing']): string {
  return estimateMicros === null || estimateMicros === 0
    ? model
    : `$${(estimateMicros / 1e6).toFixed(4)} ${model}`;
}
