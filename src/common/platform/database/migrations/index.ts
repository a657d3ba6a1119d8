import type { MigrationInterface } from 'typeorm';
import { KeyringCanary1767000000000 } from './1767000000000-keyring-canary.js';
import { WorkspacesAndCalls1767000001000 } from './1767000001000-workspaces-and-calls.js';
import { PeopleAndAudit1767000100000 } from './1767000100000-people-and-audit.js';
import { SessionsAndInvitations1767000102000 } from './1767000102000-sessions-and-invitations.js';
import { DeadLetters1767000200000 } from './1767000200000-dead-letters.js';
import { Money1767000300000 } from './1767000300000-money.js';
import { ConnectionRejections1767000400000 } from './1767000400000-connection-rejections.js';
import { UserIdentities1767000500000 } from './1767000500000-user-identities.js';
import { ApiKeyRing1767000600000 } from './1767000600000-api-key-ring.js';

/**
 * Every migration, in the order of its time stamp. A module adds its own here: a file
 * `<13 digits>-<what>.ts` with one class `<What><13 digits>`, written by hand or by
 * `npx typeorm migration:generate -d dist/ormconfig.js`, and one line below. A migration that was released never
 * changes. Name constraints yourself (`@PrimaryColumn({ primaryKeyConstraintName })`, `@Unique('name', …)`,
 * `@Index('name', …)`): `npm run migrations:check` compares names as well.
 */
export const migrations: (new () => MigrationInterface)[] = [
  KeyringCanary1767000000000,
  WorkspacesAndCalls1767000001000,
  PeopleAndAudit1767000100000,
  SessionsAndInvitations1767000102000,
  DeadLetters1767000200000,
  Money1767000300000,
  ConnectionRejections1767000400000,
  UserIdentities1767000500000,
  ApiKeyRing1767000600000,
];
