import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

export interface Forgery {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  /** Left out of the token, or made by another key. */
  readonly signature?: 'none' | 'foreign';
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider whose ID tokens are as wrong as the story wants; it gives them for any code. */
export class ForgingProvider {
  readonly clientId = 'helix';
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  #server: Server | undefined;
  #token = '';

  constructor(readonly port: number) {}

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The ID token of the next exchange. */
  give(nonce: string, { header = {}, claims = {}, signature }: Forgery = {}): void {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: this.issuer, aud: this.clientId, sub: 'mallory', iat: now, exp: now + 300, nonce };
    const address = { email: 'mallory@corp.example', email_verified: true, name: 'Mallory' };
    const signed = `${base64url({ alg: 'RS256', kid: 'one', ...header })}.${base64url({ ...honest, ...address, ...claims })}`;
    const { privateKey } = signature === 'foreign' ? this.#foreign : this.#keys;
    const proof = createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url');
    this.#token = `${signed}.${signature === 'none' ? '' : proof}`;
  }

  async start(): Promise<void> {
    const { issuer } = this;
    const jwk = { ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/token': () => ({ access_token: 'an access token', token_type: 'Bearer', id_token: this.#token }),
    };
    this.#server = createServer((request, response) => {
      request.resume();
      const answer = answers[request.url ?? ''];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.() ?? {}));
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    if (this.#server) await once(this.#server, 'close');
  }
}
