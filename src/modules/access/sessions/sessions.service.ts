import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { type Actor, actorBehind } from '../actor.js';
import { type AuditAction, AuditTrail } from '../audit-trail.js';
import { FailedAttempts } from '../failed-attempts.js';
import { CrossSiteGuard } from '../guards/cross-site.guard.js';
import { Memberships } from '../memberships.js';
import { People, type Person } from '../people.js';
import { hashPassword, provesPassword } from './passwords.js';
import { SessionCookies } from './session-cookies.js';
import { identityOfSession, type SessionFacts } from './session.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session with the person it belongs to. */
export interface OpenSession {
  readonly facts: SessionFacts;
  readonly person: Person;
}

/** Browser sessions: how they begin, what they act for, and how they end. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly cookies: SessionCookies,
    private readonly sessions: SessionsRepository,
    private readonly people: People,
    private readonly memberships: Memberships,
    private readonly attempts: FailedAttempts,
    private readonly crossSite: CrossSiteGuard,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * With e-mail and password. An unknown e-mail costs the same work as a wrong password and is answered alike.
   * @throws HelixError `ACCESS.UNAUTHENTICATED`, `ACCESS.RATE_LIMITED`
   */
  async login(
    request: Request,
    shown: { readonly email: string; readonly password: string },
  ): Promise<OpenSession> {
    const person = await this.people.findByEmail(shown.email);
    const places = [`login ${request.ip ?? ''}`, `account ${person?.id ?? shown.email.toLowerCase()}`];
    await this.#prove(places, shown.password, person?.passwordHash ?? null);
    if (person === null) throw wrongPassword();
    return this.begin(request, person, 'password');
  }

  /** For a person who was proved already. */
  async begin(request: Request, person: Person, method: SessionFacts['method']): Promise<OpenSession> {
    const activeOrganizationId = await this.memberships.homeOf(person.id);
    const createdAt = new Date().toISOString();
    const facts = { userId: person.id, activeOrganizationId, method, createdAt };
    await this.cookies.begin(request, facts);
    await this.#tell('session.login', facts, request, { method });
    return { facts, person };
  }

  /** @throws HelixError `ACCESS.UNAUTHENTICATED` where the request has no session */
  async current(request: Request): Promise<OpenSession> {
    const facts = await this.cookies.read(request);
    const person = facts && (await this.people.find(facts.userId));
    if (!facts || !person) throw new HelixError('ACCESS.UNAUTHENTICATED', 'No valid session.');
    return { facts, person };
  }

  /** The person of the request's session; null without one. @throws HelixError `ACCESS.CROSS_SITE_REQUEST` */
  async personOf(request: Request): Promise<Person | null> {
    const facts = await this.cookies.read(request);
    if (facts === null) return null;
    this.crossSite.refuseUnlessOwn(request);
    return this.people.find(facts.userId);
  }

  async end(request: Request): Promise<void> {
    const { facts } = await this.current(request);
    await this.cookies.end(request);
    await this.#tell('session.logout', facts, request);
  }

  /** From now on requests of this session act in the workspace. @throws HelixError `ACCESS.NOT_A_MEMBER` */
  async activate(request: Request, organizationId: string): Promise<OpenSession> {
    const { facts, person } = await this.current(request);
    if ((await this.memberships.standing(person.id, organizationId)) === null)
      throw new HelixError(
        'ACCESS.NOT_A_MEMBER',
        'Authenticated, but not a member of the named organization.',
      );
    const changed = { ...facts, activeOrganizationId: organizationId };
    await this.cookies.write(request, changed);
    return { facts: changed, person };
  }

  /**
   * Changes the password and ends every session of the person; this one goes on under a new id.
   * @throws HelixError `ACCESS.WRONG_PASSWORD`, `ACCESS.RATE_LIMITED`
   */
  async changePassword(
    request: Request,
    shown: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<OpenSession> {
    const { facts, person } = await this.current(request);
    const places = [`login ${request.ip ?? ''}`, `account ${person.id}`];
    await this.#prove(
      places,
      shown.currentPassword,
      person.passwordHash,
      () => new HelixError('ACCESS.WRONG_PASSWORD', 'The current password is wrong.'),
    );
    const hash = await hashPassword(shown.newPassword);
    await this.tx.run(async () => {
      await this.people.setPasswordHash(person.id, hash);
      await this.sessions.endAllOf(person.id);
      await this.#tell('password.change', facts, request);
    });
    await this.cookies.begin(request, facts);
    return { facts, person };
  }

  /**
   * Gives a person another password without the former one, and ends every session of theirs. Told in each of their
   * workspaces. For the operator, who may do so to whoever asks.
   * @returns null where nobody has this e-mail
   */
  async resetPassword(email: string, newPassword: string, actor: Actor): Promise<Person | null> {
    const person = await this.people.findByEmail(email);
    if (person === null) return null;
    const hash = await hashPassword(newPassword);
    await this.tx.run(async () => {
      await this.people.setPasswordHash(person.id, hash);
      await this.sessions.endAllOf(person.id);
      const workspaces = await this.memberships.workspacesOf(person.id);
      for (const organizationId of workspaces.length > 0 ? workspaces : [null])
        await this.audit.record({ action: 'password.reset', organizationId, actor, target: person.id });
    });
    return person;
  }

  /** Counted before it is proved: a thousand guesses at once would all be proved before the first was counted. */
  async #prove(
    places: readonly string[],
    password: string,
    hash: string | null,
    refusal: () => HelixError = wrongPassword,
  ): Promise<void> {
    const wait = this.attempts.claim(places);
    if (wait !== null) throw wait;
    if (!(await provesPassword(password, hash))) throw refusal();
    this.attempts.forgive(places);
  }

  #tell(
    action: AuditAction,
    facts: SessionFacts,
    request: Request,
    details: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const actor: Actor = actorBehind(identityOfSession(facts), request.ip ?? null);
    const { userId: target, activeOrganizationId: organizationId } = facts;
    return this.tx.run(() => this.audit.record({ action, organizationId, actor, target, details }));
  }
}

function wrongPassword(): HelixError {
  return new HelixError('ACCESS.UNAUTHENTICATED', 'E-mail or password is wrong.');
}
