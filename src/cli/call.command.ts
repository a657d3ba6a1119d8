import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ApiClient } from './api-client.js';
import { CommandFailure, exitCodes } from './failure.js';
import { readStandardInput } from './standard-input.js';
import { paintOf, type Terminal } from './terminal.js';

interface ToolCall {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'unknown';
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cost: { readonly status: string; readonly actualMicros: number | null };
}

interface CallOptions {
  readonly input: string;
  readonly funding?: string;
  readonly maxCostMicros?: number;
  readonly project?: string;
  readonly key?: string;
  readonly url?: string;
  readonly json?: boolean;
}

export function callCommand(terminal: Terminal): Command {
  return new Command('call')
    .description('call a tool of a running Helix and wait for its result')
    .argument('<toolId>', 'id of the tool, as "helix tools" lists it')
    .option(
      '--input <json>',
      'arguments as a JSON object, @file to read a file, - to read standard input',
      '{}',
    )
    .addOption(new Option('--funding <source>', 'who pays').choices(['auto', 'hlix', 'organization']))
    .option('--max-cost-micros <n>', 'reserve at most this many USD micros', wholeNumber)
    .option('--project <id>', 'project the call belongs to')
    .option(
      '--key <text>',
      'idempotency key: the same key and request give the same call again; default a new one',
    )
    .option('--url <address>', 'address of the API')
    .option('--json', 'the whole call as JSON, not only its result')
    .action(async (toolId: string, options: CallOptions) => {
      const input = await readInput(options.input);
      const api = await ApiClient.open(terminal, options);
      const begun = await api.post<ToolCall>(`/v1/api/tools/${encodeURIComponent(toolId)}/call`, {
        idempotencyKey: options.key ?? `cli-${randomUUID()}`,
        input,
        ...(options.funding ? { funding: options.funding } : {}),
        ...(options.maxCostMicros === undefined ? {} : { maxCostMicros: options.maxCostMicros }),
        ...(options.project ? { projectId: options.project } : {}),
      });
      report(await settled(api, begun, terminal), options, terminal);
    });
}

/** Waits for the end of a call that outlasts one answer, telling on standard error that it does. */
async function settled(api: ApiClient, begun: ToolCall, terminal: Terminal): Promise<ToolCall> {
  let call = begun;
  for (let turn = 0; call.status === 'queued' || call.status === 'running'; turn += 1) {
    if (turn === 0) terminal.err(`The call ${call.id} still runs; waiting (Ctrl-C leaves it running).\n`);
    await wait(Math.min(250 * 2 ** turn, 3000));
    call = await api.get<ToolCall>(`/v1/api/tool-calls/${encodeURIComponent(call.id)}`);
  }
  return call;
}

function report(call: ToolCall, options: CallOptions, terminal: Terminal): void {
  if (options.json) terminal.out(`${JSON.stringify(call, null, 2)}\n`);
  else if (call.status === 'succeeded') {
    terminal.out(`${typeof call.result === 'string' ? call.result : JSON.stringify(call.result, null, 2)}\n`);
  }
  if (call.status === 'succeeded') {
    const cost =
      call.cost.actualMicros === null ? call.cost.status : `$${(call.cost.actualMicros / 1e6).toFixed(6)}`;
    if (terminal.isTerminal && !options.json)
      terminal.err(`${paintOf(terminal).dim(`${call.id}  cost ${cost}`)}\n`);
    return;
  }
  const why = call.error
    ? `${call.error.message} [${call.error.code}]`
    : 'The outcome of the call is not known.';
  throw new CommandFailure(`${call.id} ${call.status}: ${why}`, exitCodes.inputWrong);
}

async function readInput(text: string): Promise<unknown> {
  const json =
    text === '-' ? await readStandardInput() : text.startsWith('@') ? await readNamed(text.slice(1)) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new CommandFailure(`--input is no JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandFailure('--input must be a JSON object, such as \'{"query": "x"}\'.');
}

async function readNamed(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => {
    throw new CommandFailure(`The file ${path} cannot be read.`);
  });
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('Write a whole number of USD micros, such as 2500.');
}
