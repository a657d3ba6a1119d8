import { Command } from 'commander';
import { ApiClient } from './api-client.js';
import { columns, paintOf, type Terminal } from './terminal.js';

interface Workflow {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly trigger: { readonly uri: string; readonly address: string | null };
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly counters: {
    readonly started: number;
    readonly completed: number;
    readonly failed: number;
    readonly inFlight: number;
    readonly meanMs: number | null;
    readonly lastFailure: { readonly code: string; readonly at: string } | null;
  };
}

interface Reload {
  readonly version: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
  readonly warnings: readonly string[];
}

interface Options {
  readonly url?: string;
  readonly json?: boolean;
}

const path = '/v1/api/workflows';

export function workflowsCommand(terminal: Terminal): Command {
  const workflows = new Command('workflows').description(
    'list, stop, start and reload the workflows of a running Helix',
  );
  reaching(workflows.command('list'))
    .description('list workflows with their states and counters')
    .option('--json', 'the answer of the API as it is')
    .action(async (options: Options) => {
      const api = await ApiClient.open(terminal, options);
      const found = await api.get<{ version: number; items: readonly Workflow[] }>(path);
      terminal.out(options.json ? asJson(found) : describe(found.version, found.items, terminal));
    });
  reaching(workflows.command('show'))
    .description('print a workflow with its schemas and what is on its way, as JSON')
    .argument('<id>', 'as "helix workflows list" shows it')
    .action(async (id: string, options: Options) => {
      const api = await ApiClient.open(terminal, options);
      terminal.out(asJson(await api.get(`${path}/${encodeURIComponent(id)}`)));
    });
  acting(workflows, terminal, 'start', 'start a workflow that is stopped or failed');
  acting(workflows, terminal, 'stop', 'stop a workflow; what is on its way runs on');
  acting(workflows, terminal, 'restart', 'stop a workflow, let it run out, and start it again');
  reaching(workflows.command('reload'))
    .description('load the workspace again; a broken one changes nothing and says why')
    .option('--json', 'the answer of the API as it is')
    .action(async (options: Options) => {
      const api = await ApiClient.open(terminal, options);
      const report = await api.post<Reload>(`${path}/reload`);
      terminal.out(options.json ? asJson(report) : describeReload(report));
    });
  return workflows;
}

const reaching = (command: Command): Command => command.option('--url <address>', 'address of the API');

function acting(
  workflows: Command,
  terminal: Terminal,
  verb: 'start' | 'stop' | 'restart',
  description: string,
): void {
  reaching(workflows.command(verb))
    .description(description)
    .argument('<id>', 'as "helix workflows list" shows it')
    .option('--json', 'the answer of the API as it is')
    .action(async (id: string, options: Options) => {
      const api = await ApiClient.open(terminal, options);
      const workflow = await api.post<Workflow>(`${path}/${encodeURIComponent(id)}/${verb}`);
      const { inFlight } = workflow.counters;
      const rest = workflow.state === 'stopped' && inFlight > 0 ? `; ${inFlight} still on their way` : '';
      terminal.out(options.json ? asJson(workflow) : `${workflow.id} is ${workflow.state}${rest}.\n`);
    });
}

function describe(version: number, items: readonly Workflow[], terminal: Terminal): string {
  if (items.length === 0) return 'No workflows.\n';
  const paint = paintOf(terminal);
  const rows = items.map(({ id, state, version: since, trigger, counters }) => [
    id,
    state,
    String(since),
    String(counters.completed),
    String(counters.failed),
    String(counters.inFlight),
    counters.meanMs === null ? '-' : `${counters.meanMs.toFixed(1)} ms`,
    counters.lastFailure?.code ?? '-',
    trigger.address ?? trigger.uri,
  ]);
  const head = [
    'WORKFLOW',
    'STATE',
    'VERSION',
    'DONE',
    'FAILED',
    'RUNNING',
    'MEAN',
    'LAST FAILURE',
    'TRIGGER',
  ];
  const reasons = items.flatMap(({ id, error }) =>
    error ? [`${paint.red('!')} ${id}: ${error.message} [${error.code}]\n`] : [],
  );
  return `${columns([head, ...rows])}\n${reasons.join('')}Workspace version ${version}\n`;
}

function describeReload({ version, added, changed, removed, unchanged, warnings }: Reload): string {
  const parts = Object.entries({ added, changed, removed })
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `${what} ${ids.join(', ')}`);
  const what = parts.length > 0 ? parts.join('; ') : 'no workflow changed';
  const lines = [`Version ${version}: ${what}; ${unchanged.length} untouched.`, ...warnings];
  return `${lines.join('\n')}\n`;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
