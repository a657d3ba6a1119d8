import { randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { readIfThere, writePrivately } from '../../common/platform/config/home.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { ApiKeysService, FailedAttempts, hashPassword, operator, scopes } from '../access/index.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';

/** What scripts read from `HELIX_HOME/bootstrap.json`. */
export interface Bootstrap {
  readonly apiUrl: string;
  readonly organizationId: string;
  readonly apiKey: string;
  /** For the login in a browser. */
  readonly email: string;
  /** null where whoever set the deployment up chose one. */
  readonly password: string | null;
}

/** What may be said of the first workspace and its owner. */
export interface FirstOwner {
  readonly organizationName?: string;
  readonly ownerName?: string;
  readonly ownerEmail?: string;
  readonly ownerPassword?: string;
}

export interface FirstRunReport {
  /** Where the first API key is. */
  readonly path: string;
  /** Of this very start; undefined where an owner was there already. Never to be logged. */
  readonly bootstrap?: Bootstrap;
}

/**
 * Makes the first workspace, its owner and one API key, once for a deployment however many nodes start together: by
 * itself on `run`, or by `POST /v1/api/setup` with the token of the log where nobody can read a file of the server.
 */
@Injectable()
export class FirstRun {
  #setupToken: Buffer | undefined;

  constructor(
    private readonly config: HelixConfig,
    private readonly log: HelixLog,
    private readonly tx: Transactions,
    private readonly organizations: OrganizationsService,
    private readonly repository: OrganizationsRepository,
    private readonly keys: ApiKeysService,
    private readonly attempts: FailedAttempts,
  ) {}

  get path(): string {
    return join(this.config.home, 'bootstrap.json');
  }

  /**
   * Called once the port is open.
   * @param apiUrl how callers reach this deployment
   */
  async begin(apiUrl: string): Promise<FirstRunReport> {
    if (await this.organizations.hasOwner()) {
      await this.#renewAddress(apiUrl);
      return { path: this.path };
    }
    if (this.config.firstRun === 'setup') {
      this.#offerSetup(apiUrl);
      return { path: this.path };
    }
    // The file is written before the commit: a crash between the two leaves a file without effect, which the next
    // start replaces, and never an owner whose key nobody knows.
    const bootstrap = await this.#make(apiUrl, {}, (made) =>
      writePrivately(this.path, `${JSON.stringify(made, null, 2)}\n`),
    );
    if (bootstrap === null) return { path: this.path };
    this.log.secrets.add(bootstrap.apiKey);
    this.log.secrets.add(bootstrap.password ?? undefined);
    return { path: this.path, bootstrap };
  }

  /** Whether the deployment waits for `setup`. */
  async isOpen(): Promise<boolean> {
    return this.#setupToken !== undefined && !(await this.organizations.hasOwner());
  }

  /**
   * @throws HelixError `HTTP.UNKNOWN_ROUTE` unless this deployment waits to be set up; 401 or 429 for a wrong token
   */
  async setup(shown: FirstOwner & { readonly token: string }, address: string): Promise<Bootstrap> {
    const expected = this.#setupToken;
    if (expected === undefined) throw nothingHere();
    const token = Buffer.from(shown.token);
    if (token.length !== expected.length || !timingSafeEqual(token, expected))
      throw this.attempts.refusal(address);
    const made = await this.#make(this.config.publicUrl ?? this.#apiUrl, shown);
    this.#setupToken = undefined;
    if (made === null) throw nothingHere();
    return made;
  }

  #apiUrl = '';

  #offerSetup(apiUrl: string): void {
    const token = randomBytes(24).toString('base64url');
    this.#setupToken = Buffer.from(token);
    this.#apiUrl = apiUrl;
    this.log.write(
      'info',
      `There is no owner yet: POST ${apiUrl}/v1/api/setup once with the setup token ${token}`,
    );
  }

  /** @returns null where somebody else was first */
  async #make(
    apiUrl: string,
    wanted: FirstOwner,
    beforeCommit?: (made: Bootstrap) => Promise<void>,
  ): Promise<Bootstrap | null> {
    const { organizationName = 'My workspace', ownerName = 'Owner', ownerEmail = 'owner@localhost' } = wanted;
    const password = wanted.ownerPassword ?? randomBytes(18).toString('base64url');
    const passwordHash = await hashPassword(password);
    return this.tx.run(async () => {
      await this.repository.takeTurnForFirstOwner();
      if (await this.organizations.hasOwner()) return null;
      const owner = { name: ownerName, email: ownerEmail, passwordHash, isVerified: true };
      const { organizationId, userId } = await this.organizations.create(
        { name: organizationName, owner },
        operator,
      );
      const draft = { organizationId, userId, name: 'first key', scopes, projectIds: null, expiresAt: null };
      const { secret } = await this.keys.create(draft, operator);
      const made = {
        apiUrl,
        organizationId,
        apiKey: secret,
        email: ownerEmail.toLowerCase(),
        password: wanted.ownerPassword === undefined ? password : null,
      };
      await beforeCommit?.(made);
      return made;
    });
  }

  /** The port may be another one than at the first start. */
  async #renewAddress(apiUrl: string): Promise<void> {
    const text = await readIfThere(this.path);
    if (text === undefined) return;
    try {
      const known = JSON.parse(text) as Bootstrap;
      if (known.apiUrl !== apiUrl)
        await writePrivately(this.path, `${JSON.stringify({ ...known, apiUrl }, null, 2)}\n`);
    } catch (error) {
      // The parser's message quotes the text around the fault, which may be the key.
      const reason = error instanceof SyntaxError ? 'it is no JSON' : (error as NodeJS.ErrnoException).code;
      this.log.write('warn', `${this.path} cannot be brought up to date: ${reason}.`);
    }
  }
}

function nothingHere(): HelixError {
  return new HelixError('HTTP.UNKNOWN_ROUTE', 'There is nothing at this address.');
}
