import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, environmentWrong } from './failure.js';
import { readConfig } from './read-config.js';
import type { Terminal } from './terminal.js';

/** `HELIX_HOME/bootstrap.json`, written on the first run (operating.md). */
interface Bootstrap {
  readonly apiUrl?: string;
  readonly organizationId?: string;
  readonly apiKey?: string;
}

export interface ApiOptions {
  /** Base address of the API; default: of bootstrap.json, else `http://HOST:PORT`. */
  readonly url?: string;
}

interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** A client of the REST API of a running Helix, with the key of `HELIX_API_KEY` or of the first run. */
export class ApiClient {
  private constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** @throws CommandFailure where no key can be found */
  static async open(terminal: Terminal, options: ApiOptions = {}): Promise<ApiClient> {
    const { home, host, port } = await readConfig(terminal.environment);
    const path = join(home, 'bootstrap.json');
    const bootstrap = await readBootstrap(path);
    const given = terminal.environment['HELIX_API_KEY']?.trim();
    const key = given || bootstrap?.apiKey;
    if (!key) {
      throw environmentWrong(
        `No API key: set HELIX_API_KEY, or start Helix once with "helix run", which writes one to ${path}.`,
      );
    }
    const url =
      options.url ?? bootstrap?.apiUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    // The key of the first run belongs to its workspace; a key of one's own knows its workspace itself.
    const organization: Record<string, string> =
      given || !bootstrap?.organizationId ? {} : { 'x-organization-id': bootstrap.organizationId };
    return new ApiClient(url.replace(/\/+$/, ''), {
      'x-api-key': key,
      accept: 'application/json',
      ...organization,
    });
  }

  get<T>(path: string): Promise<T> {
    return this.request<T>('GET', path);
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.request<T>('POST', path, body);
  }

  private async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: body === undefined ? this.headers : { ...this.headers, 'content-type': 'application/json' },
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw environmentWrong(
        `Nothing answers at ${this.url} (${reasonOf(cause)}): start Helix with "helix run".`,
      );
    });
    const text = await response.text();
    const answer = parse(text);
    if (answer === undefined) {
      throw environmentWrong(
        `${this.url} answers, but not as Helix does (HTTP ${response.status}): check the address.`,
      );
    }
    if (response.ok) return answer as T;
    throw failureOf(response.status, answer as { error?: unknown; fields?: readonly FieldFault[] });
  }
}

async function readBootstrap(path: string): Promise<Bootstrap | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  const value = text === null ? null : parse(text);
  return typeof value === 'object' && value !== null ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function failureOf(
  status: number,
  body: { error?: unknown; fields?: readonly FieldFault[] },
): CommandFailure {
  const sentence = typeof body.error === 'string' ? body.error : 'The request was refused.';
  const fields = (body.fields ?? [])
    .filter(({ path, message }) => !(sentence.includes(path) && sentence.includes(message)))
    .map(({ path, message }) => `\n  ${path || '(whole body)'}: ${message}`);
  const hint = status === 401 ? ' Set HELIX_API_KEY to a key of this deployment.' : '';
  const message = `${sentence}${hint}${fields.join('')}`;
  return status === 401 || status >= 500
    ? environmentWrong(`${message} (HTTP ${status})`)
    : new CommandFailure(`${message} (HTTP ${status})`);
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = (inner as NodeJS.ErrnoException | null)?.code;
  return code ?? (inner instanceof Error ? inner.message : String(inner));
}
