import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import type { HelixApp } from '../common/platform/http/create-app.js';
import type { LedgerEntry, Movement, Wallet } from '../modules/funding/index.js';
import { placeOf } from './organization-place.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

interface WalletOptions {
  readonly organization?: string;
  readonly json?: boolean;
}

interface MoveOptions extends WalletOptions {
  readonly reason: string;
  readonly key?: string;
}

export function walletCommand(terminal: Terminal): Command {
  const wallet = new Command('wallet').description(
    "look after a workspace's money, in USD micros (needs the database, no running Helix)",
  );
  const organization = ['--organization <id>', 'workspace; default that of the first run'] as const;
  const tell = (text: string, found: unknown, { json }: WalletOptions) =>
    terminal.out(json ? `${JSON.stringify(found, null, 2)}\n` : text);

  wallet
    .command('show')
    .description('tell balance, reservations and headroom')
    .option(...organization)
    .option('--json', 'as JSON')
    .action(async (options: WalletOptions) => {
      const found = await withApp(terminal, async (app) => {
        const { funding, organizationId } = await openWallet(app, options);
        return funding.wallet(organizationId);
      });
      tell(describe(found), found, options);
    });

  for (const [name, kind, what] of [
    ['top-up', 'top_up', 'put money in'],
    ['adjust', 'adjustment', 'correct the balance; a negative amount takes money out'],
  ] as const) {
    wallet
      .command(name)
      .description(`${what}; it is kept in the ledger and the audit log`)
      .argument('<micros>', 'USD micros (1000000 is one dollar)', kind === 'top_up' ? positive : whole)
      .requiredOption('--reason <text>', 'why, for whoever reads the ledger')
      .option('--key <text>', 'idempotency key: the same key moves money once; default a new one')
      .option(...organization)
      .option('--json', 'as JSON')
      .action(async (amountMicros: number, options: MoveOptions) => {
        const moved = await withApp(terminal, (app) => move(app, kind, amountMicros, options));
        tell(describeMovement(moved), moved, options);
      });
  }

  wallet
    .command('ledger')
    .description('list the movements, newest first')
    .option('--limit <n>', 'how many, 1 to 1000; default 30', count)
    .option(...organization)
    .option('--json', 'as JSON')
    .action(async (options: WalletOptions & { limit?: number }) => {
      const { items } = await withApp(terminal, async (app) => {
        const { funding, organizationId } = await openWallet(app, options);
        return funding.ledger(organizationId, { limit: options.limit ?? 30, cursor: undefined });
      });
      tell(describeLedger(items), items, options);
    });
  return wallet;
}

async function openWallet(app: HelixApp, { organization }: WalletOptions) {
  const { FundingService } = await import('../modules/funding/index.js');
  const { organizationId } = await placeOf(app, organization);
  return { funding: app.nest.get(FundingService), organizationId };
}

async function move(
  app: HelixApp,
  kind: 'top_up' | 'adjustment',
  amountMicros: number,
  options: MoveOptions,
): Promise<Movement> {
  const { operator } = await import('../modules/access/index.js');
  const { funding, organizationId } = await openWallet(app, options);
  const { reason, key = `cli-${randomUUID()}` } = options;
  return funding.move({ organizationId, kind, amountMicros, reason, idempotencyKey: key }, operator);
}

function describe({ balanceMicros, heldMicros }: Wallet): string {
  const rows = [
    ['balance', dollars(balanceMicros)],
    ['reserved', dollars(heldMicros)],
    ['headroom', dollars(balanceMicros - heldMicros)],
  ];
  return `${columns(rows)}\n`;
}

function describeMovement({ entry, wallet, isReplay }: Movement): string {
  const what = isReplay ? 'was moved before, as entry' : 'moved, as entry';
  return `${dollars(entry.amountMicros)} ${what} ${entry.number}.\n${describe(wallet)}`;
}

function describeLedger(entries: readonly LedgerEntry[]): string {
  if (entries.length === 0) return 'No movements.\n';
  const rows = entries.map((entry) => [
    String(entry.number),
    entry.createdAt.toISOString().slice(0, 19).replace('T', ' '),
    entry.kind,
    dollars(entry.amountMicros),
    dollars(entry.balanceMicros),
    entry.callId ?? entry.reason ?? '-',
  ]);
  return `${columns([['NO', 'TIME (UTC)', 'KIND', 'AMOUNT', 'BALANCE', 'FOR'], ...rows])}\n`;
}

function dollars(micros: number): string {
  return `${micros < 0 ? '-' : ''}$${(Math.abs(micros) / 1e6).toFixed(6)}`;
}

function whole(text: string): number {
  const amount = Number(text);
  if (/^-?\d{1,16}$/.test(text) && amount !== 0 && Math.abs(amount) <= 1e15) return amount;
  throw new InvalidArgumentError('Write a whole number of USD micros other than 0, such as 5000000.');
}

function positive(text: string): number {
  const amount = whole(text);
  if (amount > 0) return amount;
  throw new InvalidArgumentError('A top-up is above 0; take money out with "helix wallet adjust".');
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError('Write a number from 1 to 1000.');
}
