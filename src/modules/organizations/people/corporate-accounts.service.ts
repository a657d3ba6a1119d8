import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../../common/platform/config/helix-config.js';
import { isUniqueViolation } from '../../../common/platform/database/query-failures.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import {
  type Actor,
  AuditTrail,
  type CorporateAccounts,
  type CorporateIdentity,
  type Person,
} from '../../access/index.js';
import { MembersService } from '../members/members.service.js';
import { IdentitiesRepository } from './identities.repository.js';
import { PeopleRepository } from './people.repository.js';

/** Accounts of people who come by the corporate login; fills the port by which access asks for them. */
@Injectable()
export class CorporateAccountsService implements CorporateAccounts {
  constructor(
    private readonly people: PeopleRepository,
    private readonly identities: IdentitiesRepository,
    private readonly members: MembersService,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly config: HelixConfig,
  ) {}

  async admit(identity: CorporateIdentity, loggedIn: Person | null, address: string | null): Promise<Person> {
    const attempt = () => this.tx.run(() => this.#admit(identity, loggedIn, address));
    try {
      return await attempt();
    } catch (error) {
      // A first login in two tabs: the other one was quicker, and its person is there now.
      const isLate = ['user_identity_pk', 'user_account_email_unique'].some((name) =>
        isUniqueViolation(error, name),
      );
      if (isLate) return attempt();
      throw error;
    }
  }

  async #admit(
    identity: CorporateIdentity,
    loggedIn: Person | null,
    address: string | null,
  ): Promise<Person> {
    const bound = await this.identities.personOf(identity);
    if (bound !== null) return this.#found(bound);
    const known = await this.people.find({ email: identity.email });
    if (known !== null) await this.#refuseTaken(known, identity, loggedIn);
    const id = known?.id ?? (await this.people.add({ ...identity, isVerified: true }));
    const actor: Actor = { type: 'user', id, userId: id, address };
    if (known !== null) await this.people.verify(id);
    await this.identities.bind(id, identity);
    await this.audit.record({
      action: 'identity.bind',
      organizationId: null,
      actor,
      target: id,
      details: { issuer: identity.issuer, isNew: known === null },
    });
    // With the account and never again: whom an administrator removes stays out.
    if (known === null) await this.#join(id, actor);
    return this.#found(id);
  }

  /** The address alone proves no account that has another proof already: addresses are given to others in time. */
  async #refuseTaken(known: Person, { issuer }: CorporateIdentity, loggedIn: Person | null): Promise<void> {
    if (known.passwordHash !== null && loggedIn?.id !== known.id)
      throw new HelixError(
        'ACCESS.ACCOUNT_EXISTS',
        'There is an account with your address and a password: log in with it, then begin the corporate login again.',
      );
    if (await this.identities.isBound(known.id, issuer))
      throw new HelixError(
        'ACCESS.LOGIN_REFUSED',
        'The account with your address belongs to another identity of the provider: ask an administrator.',
      );
  }

  async #join(userId: string, actor: Actor): Promise<void> {
    const { organizationId, role } = this.config.oidc ?? {};
    if (organizationId && role) await this.members.add(organizationId, userId, role, actor);
  }

  async #found(id: string): Promise<Person> {
    const person = await this.people.find({ id });
    if (person === null)
      throw new HelixError('ACCESS.LOGIN_REFUSED', 'The account of this identity is gone.');
    return person;
  }
}
