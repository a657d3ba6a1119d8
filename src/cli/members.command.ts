import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { CommandFailure } from './failure.js';
import { placeOf } from './organization-place.js';
import { readStandardInput } from './standard-input.js';
import { columns, type Terminal } from './terminal.js';
import { withApp } from './with-app.js';

export function membersCommand(terminal: Terminal): Command {
  const members = new Command('members').description(
    'list people and give them a new password (needs the database, no running Helix)',
  );
  members
    .command('list')
    .description('list the members of a workspace, longest-standing first')
    .option('--organization <id>', 'workspace; default that of the first run')
    .option('--json', 'as JSON')
    .action(async ({ organization, json }: { organization?: string; json?: boolean }) => {
      const found = await withApp(terminal, async (app) => {
        const { MembersService } = await import('../modules/organizations/index.js');
        return app.nest.get(MembersService).list((await placeOf(app, organization)).organizationId);
      });
      const rows = found.map(({ userId, name, email, role }) => [email ?? '-', role, name, userId]);
      terminal.out(
        json
          ? `${JSON.stringify(found, null, 2)}\n`
          : `${columns([['E-MAIL', 'ROLE', 'NAME', 'ID'], ...rows])}\n`,
      );
    });
  members
    .command('reset-password')
    .description('give a person another password, printed once, and end their sessions')
    .argument('<email>', 'as "helix members list" shows it')
    .option('--stdin', 'take the password from standard input in place of making one')
    .action(async (email: string, { stdin }: { stdin?: boolean }) => {
      const given = stdin ? (await readStandardInput()).replace(/\r?\n$/, '') : undefined;
      const password = given ?? randomBytes(18).toString('base64url');
      const person = await withApp(terminal, async (app) => {
        const { longestPassword, operator, SessionsService, shortestPassword } =
          await import('../modules/access/index.js');
        const { length } = Array.from(password);
        if (length < shortestPassword || length > longestPassword)
          throw new CommandFailure(`A password has ${shortestPassword} to ${longestPassword} characters.`);
        return app.nest.get(SessionsService).resetPassword(email, password, operator);
      });
      if (person === null)
        throw new CommandFailure(`Nobody has the e-mail "${email}": see "helix members list".`);
      terminal.err(`The new password of ${person.name} (${person.id}). Their sessions are over.\n`);
      if (given === undefined) terminal.out(`${password}\n`);
    });
  return members;
}
