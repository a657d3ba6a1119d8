import { Command } from 'commander';
import type { KeyRotation, KeyStatus, Rotation } from '../common/platform/crypto/key-rotation.js';
import { CommandFailure, exitCodes } from './failure.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

export function secretsCommand(terminal: Terminal): Command {
  const secrets = new Command('secrets').description(
    'see and renew the encryption of stored secrets (needs the database, no running Helix)',
  );
  secrets
    .command('status')
    .description(
      'count the stored secrets and API keys under each key of the keyring; exit 2 where a key is missing',
    )
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await withRotation(terminal, (rotation) => rotation.status());
      terminal.out(json ? `${JSON.stringify(status, null, 2)}\n` : describe(status));
      if (status.missing.length > 0)
        throw new CommandFailure(
          `The keyring has no key called ${status.missing.join(', ')}: put it back, behind the first.`,
          exitCodes.environmentWrong,
        );
    });
  secrets
    .command('rotate')
    .description('put every stored secret under the first key of the keyring; may be stopped and begun again')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const end = await withRotation(terminal, (rotation) =>
        rotation.rotate((rows) => terminal.err(`${rows} rows\n`)),
      );
      terminal.out(json ? `${JSON.stringify(end, null, 2)}\n` : told(end));
      if (end.unreadable.length > 0)
        throw new CommandFailure(
          `${end.unreadable.length} secrets could not be read and were left as they are.`,
          exitCodes.environmentWrong,
        );
    });
  return secrets;
}

const ofApiKeys =
  'API keys (api_key) move when they are used next. Rotate or revoke what is left before you take a key off the ring.';

function withRotation<T>(terminal: Terminal, use: (rotation: KeyRotation) => Promise<T>): Promise<T> {
  return withApp(terminal, async (app) => {
    const { KeyRotation: Service } = await import('../common/platform/crypto/key-rotation.js');
    return use(app.nest.get(Service));
  });
}

function describe({ activeId, ring, uses, missing }: KeyStatus): string {
  const idle = ring.filter((id) => uses.every(({ keyId }) => keyId !== id));
  const rows = [
    ...uses.map(({ keyId, table, rows: count }) => [keyId, stateOf(keyId), table, String(count)]),
    ...idle.map((id) => [id, stateOf(id), '-', '0']),
  ];
  return `${columns([['KEY', 'STATE', 'TABLE', 'ROWS'], ...rows])}\n${ofApiKeys}\n`;

  function stateOf(id: string): string {
    if (id === '') return 'not known';
    if (missing.includes(id)) return 'missing';
    return id === activeId ? 'active' : 'in the ring';
  }
}

function told({ activeId, rewrapped, changed, unreadable }: Rotation): string {
  const meanwhile = changed === 0 ? '' : ` ${changed} changed meanwhile and needed nothing.`;
  const left = unreadable.map(({ table, id, reason }) => `unreadable: ${table} ${id}: ${reason}\n`).join('');
  return `${rewrapped} secrets are now under ${activeId}.${meanwhile}\n${left}`;
}
