import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider';

interface Account {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

/** A real OpenID provider, whose people log in by its own pages, driven over HTTP as a browser would. */
export class CorporateProvider {
  readonly clientId = 'helix';
  readonly clientSecret = 'a-client-secret-of-helix';
  readonly accounts = new Map<string, Account>();
  #server: Server | undefined;

  constructor(readonly port: number) {}

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(redirectUri: string): Promise<void> {
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: this.clientId, client_secret: this.clientSecret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key of the provider'] },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.accounts.get(sub) }),
      }),
    });
    this.#server = createServer(provider.callback()).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    if (this.#server) await once(this.#server, 'close');
  }

  /** Logs in as `subject` and consents. @returns the address at Helix to which the browser is sent back */
  async visit(address: string, subject: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = address;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 20; step++) {
      if (!next.startsWith(this.issuer)) return next;
      const answer = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: form }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const to = answer.headers.get('location');
      const page = await answer.text();
      form = undefined;
      if (to !== null) next = new URL(to, next).href;
      else {
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (prompt === undefined)
          throw new Error(`The provider answered ${answer.status}: ${page.slice(0, 300)}`);
        form = new URLSearchParams({ prompt, login: subject, password: 'any' });
        next = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', next).href;
      }
    }
    throw new Error('The provider never sent the browser back.');
  }
}
