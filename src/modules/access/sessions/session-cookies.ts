import { promisify } from 'node:util';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import connectPgSimple from 'connect-pg-simple';
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { HelixConfig } from '../../../common/platform/config/helix-config.js';
import { Keyring } from '../../../common/platform/crypto/keyring.js';
import { sessionCookieName } from '../../../common/platform/http/openapi/document.js';
import { HelixLog } from '../../../common/platform/logging/helix-log.js';
import { AppRole } from '../../../common/platform/platform.module.js';
import type { PendingLogin } from '../oidc/pending-login.js';
import { type SessionFacts, sessionLifetimeMs } from './session.js';

/**
 * The browser sessions of express-session, kept in PostgreSQL. Opened only where a request is to be judged by its
 * cookie: requests with an API key never touch it.
 */
@Injectable()
export class SessionCookies implements OnModuleDestroy {
  readonly #name: string;
  readonly #isHttps: boolean;
  readonly #store: InstanceType<ReturnType<typeof connectPgSimple>>;
  readonly #handle: RequestHandler;

  constructor(config: HelixConfig, keyring: Keyring, dataSource: DataSource, log: HelixLog, role: AppRole) {
    this.#name = sessionCookieName(config);
    this.#isHttps = config.publicUrl?.startsWith('https:') ?? false;
    const Store = connectPgSimple(session);
    this.#store = new Store({
      pool: (dataSource.driver as unknown as { master: Pool }).master,
      tableName: 'user_session',
      createTableIfMissing: false,
      // A session ends twelve hours after the login, used or not.
      disableTouch: true,
      pruneSessionInterval: role.name === 'own' ? 3_600 : false,
      errorLog: () => log.write('warn', 'Ended sessions could not be cleared away.'),
    });
    this.#handle = session({
      name: this.#name,
      secret: keyring.subKeys('session-secret').map((key) => key.toString('base64')),
      store: this.#store,
      resave: false,
      saveUninitialized: false,
      cookie: {
        httpOnly: true,
        sameSite: 'lax',
        secure: this.#isHttps,
        path: '/',
        maxAge: sessionLifetimeMs,
      },
    });
  }

  /** The facts of the request's session; null where it has none, or one that has ended. */
  async read(request: Request): Promise<SessionFacts | null> {
    if (!request.headers.cookie?.includes(`${this.#name}=`)) return null;
    await this.#open(request);
    return request.session.helix ?? null;
  }

  /** A new session under a new id, whatever id the browser brought along. */
  async begin(request: Request, facts: SessionFacts): Promise<void> {
    await this.#open(request);
    await promisify(request.session.regenerate.bind(request.session))();
    await this.write(request, facts);
  }

  /** Of an open session. */
  async write(request: Request, facts: SessionFacts): Promise<void> {
    request.session.helix = facts;
    await promisify(request.session.save.bind(request.session))();
  }

  /** Beside what the browser's session knows already; without one, in a session that lasts as long as the login may take. */
  async keepPending(request: Request, pending: PendingLogin, lifetimeMs: number): Promise<void> {
    await this.#open(request);
    if (request.session.helix === undefined) request.session.cookie.maxAge = lifetimeMs;
    request.session.pendingLogin = pending;
    await promisify(request.session.save.bind(request.session))();
  }

  /** Once: it is gone from the session before anybody acts on it. */
  async takePending(request: Request): Promise<PendingLogin | null> {
    if (!request.headers.cookie?.includes(`${this.#name}=`)) return null;
    await this.#open(request);
    const { pendingLogin: pending } = request.session;
    if (pending === undefined) return null;
    delete request.session.pendingLogin;
    await promisify(request.session.save.bind(request.session))();
    return pending;
  }

  /** Ends the session at the server, and tells the browser to forget its cookie. */
  async end(request: Request): Promise<void> {
    await this.#open(request);
    await promisify(request.session.destroy.bind(request.session))();
    request.res?.clearCookie(this.#name, {
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#isHttps,
      path: '/',
    });
  }

  onModuleDestroy(): void {
    this.#store.close();
  }

  async #open(request: Request): Promise<void> {
    const { res: response } = request;
    if (response === undefined || request.session !== undefined) return;
    // Who reaches this deployment does so over https, whatever the last hop to it speaks: the cookie must be set.
    if (this.#isHttps) Object.defineProperty(request, 'secure', { value: true });
    await new Promise<void>((resolve, reject) => {
      void this.#handle(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
    });
  }
}
