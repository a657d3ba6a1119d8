import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import * as oidc from 'openid-client';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { HelixConfig, type OidcSettings } from '../../../common/platform/config/helix-config.js';
import { EgressGuard, guardedFetch } from '../../../common/platform/egress/index.js';
import { HelixLog } from '../../../common/platform/logging/helix-log.js';
import type { PendingLogin } from './pending-login.js';

/** What the provider says of a person; nothing of it is judged yet. */
export interface ProvedClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: unknown;
  readonly emailVerified: unknown;
  readonly name: unknown;
}

/** Seconds that each request to the provider may take. */
const timeout = 10;
const maxBytes = 1_000_000;

/**
 * The identity provider of `HELIX_OIDC_ISSUER`: OpenID Connect Core 1.0, authorization code flow with PKCE (RFC 7636),
 * state and nonce. It is asked for its addresses at the first login; every request passes the egress guard.
 */
@Injectable()
export class IdentityProvider implements OnModuleDestroy {
  readonly #http: ReturnType<typeof guardedFetch>;
  #discovered: Promise<oidc.Configuration> | undefined;

  constructor(
    private readonly config: HelixConfig,
    private readonly log: HelixLog,
  ) {
    this.#http = guardedFetch({ guard: new EgressGuard(config.privateEgress), maxBytes });
  }

  /** @throws HelixError `ACCESS.LOGIN_PROVIDER_UNAVAILABLE`, `HTTP.UNKNOWN_ROUTE` where no provider is set */
  async begin(returnTo: string): Promise<{ readonly url: URL; readonly pending: PendingLogin }> {
    const provider = await this.#discover();
    const [state, nonce, codeVerifier] = [
      oidc.randomState(),
      oidc.randomNonce(),
      oidc.randomPKCECodeVerifier(),
    ];
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.#redirectUri(),
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, pending: { state, nonce, codeVerifier, returnTo, beganAt: Date.now() } };
  }

  /**
   * @param query of the callback, with its question mark
   * @throws HelixError `ACCESS.LOGIN_REFUSED`, `ACCESS.LOGIN_PROVIDER_UNAVAILABLE`
   */
  async finish(query: string, { state, nonce, codeVerifier }: PendingLogin): Promise<ProvedClaims> {
    const provider = await this.#discover();
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, new URL(this.#redirectUri() + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The provider gave no ID token.');
      const { iss: issuer, sub: subject } = claims;
      // Many providers keep the address out of the ID token (OpenID Connect Core 1.0, section 5.4).
      const { email, email_verified, name } =
        claims['email'] === undefined
          ? await oidc.fetchUserInfo(provider, tokens.access_token, subject)
          : claims;
      return { issuer, subject, email, emailVerified: email_verified, name };
    } catch (cause) {
      throw this.#refused(cause);
    }
  }

  onModuleDestroy(): void {
    this.#http.close();
  }

  /** What failed is logged by its code alone: the provider's texts may hold codes and tokens. */
  #refused(cause: unknown): HelixError {
    this.log.write('info', 'A corporate login was refused.', {
      reason: cause instanceof Error ? ((cause as { code?: string }).code ?? cause.name) : 'unknown',
    });
    return new HelixError(
      'ACCESS.LOGIN_REFUSED',
      'The identity provider did not prove who you are: begin the login again.',
    );
  }

  get #settings(): OidcSettings {
    const { oidc: settings } = this.config;
    if (settings === undefined)
      throw new HelixError('HTTP.UNKNOWN_ROUTE', 'There is no corporate login here.');
    return settings;
  }

  #redirectUri(): string {
    return `${this.config.publicUrl ?? ''}/v1/api/auth/oidc/callback`;
  }

  /** Not remembered where it failed: the provider may be back for the next login. */
  async #discover(): Promise<oidc.Configuration> {
    const settings = this.#settings;
    this.#discovered ??= this.#ask(settings);
    try {
      return await this.#discovered;
    } catch (error) {
      this.#discovered = undefined;
      this.log.write('warn', 'The identity provider cannot be reached or is not what it should be.', {
        error,
      });
      throw new HelixError(
        'ACCESS.LOGIN_PROVIDER_UNAVAILABLE',
        'The identity provider does not answer as it should; try again later.',
      );
    }
  }

  #ask({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
    const url = new URL(issuer);
    const execute = [oidc.enableNonRepudiationChecks];
    // The configuration lets only loopback addresses be without TLS.
    if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
    return oidc.discovery(url, clientId, undefined, authenticationBy(clientSecret?.reveal()), {
      execute,
      timeout,
      [oidc.customFetch]: (address, init) => this.#http.fetch(address, init),
    });
  }
}

/** The way the provider asks for; HTTP Basic where it does not say (OpenID Connect Discovery 1.0, section 3). */
function authenticationBy(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (known.includes('client_secret_basic') ? basic : post)(server, client, body, headers);
  };
}
