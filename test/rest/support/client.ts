import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { fetchDocumented } from '../../support/fetch-documented.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import {
  ApiKeysService,
  type MemberRole,
  type NewApiKey,
  operator,
  scopes,
} from '../../../src/modules/access/index.js';
import {
  MembersService,
  OrganizationsService,
  PeopleService,
} from '../../../src/modules/organizations/index.js';
import { restOver, Workbench } from './workbench.js';

/** Waits for what will be so; patient, since test machines are busy. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 20_000, interval: 20 });
}

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** A caller of the REST API with one key; every answer to it is held against the OpenAPI document of its server. */
export class Client {
  constructor(
    readonly url: string,
    readonly apiKey: string | undefined,
    readonly organizationId: string,
    readonly userId: string,
  ) {}

  get<Body = Record<string, unknown>>(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    return this.send('GET', path, undefined, headers);
  }

  /** `body`: a value to send as JSON, or text to send as it is. */
  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetchDocumented(this.url + path, {
      method,
      headers: {
        ...(this.apiKey !== undefined && { 'x-api-key': this.apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parse(text) as Body };
    if (answer.status >= 400 && method !== 'HEAD') checkError(answer);
    return answer;
  }

  call<Body = Record<string, unknown>>(
    tool: string,
    input: unknown,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const body = { idempotencyKey: randomUUID(), input, ...more };
    return this.send('POST', `/v1/api/tools/${tool}/call`, body, headers);
  }

  /** The machine code of a refusal. */
  static code(answer: Answer<unknown>): string | null {
    return answer.headers.get('x-helix-error');
  }

  with(apiKey: string | undefined): Client {
    return new Client(this.url, apiKey, this.organizationId, this.userId);
  }
}

/** Whatever fails, the body is one of the contract's two, and tells nothing of the inside. */
function checkError({ headers, text, body }: Answer<unknown>): void {
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('x-helix-error')).toMatch(/^[a-z_]+$/);
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('cache-control')).toBe('no-store');
  const { fields, ...rest } = body as { error: string; fields?: unknown[] };
  expect(Object.keys(rest)).toEqual(['error']);
  expect(typeof rest.error).toBe('string');
  if (fields !== undefined) expect(fields.length).toBeGreaterThan(0);
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|SELECT |INSERT |\.ts:/);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface RestStory {
  readonly helix: TestApp;
  readonly bench: Workbench;
  /** A new workspace with its owner and the owner's key. */
  owner(): Promise<Client>;
  /** Another person of the same workspace, with a key. */
  member(of: Client, role: MemberRole, key?: Partial<NewApiKey>): Promise<Client>;
  /** Another key of the same person. */
  key(of: Client, key: Partial<NewApiKey>): Promise<Client>;
  /** A key of a person in the workspace of another, for collaborators. */
  keyIn(workspace: Client, of: Client): Promise<Client>;
  close(): Promise<void>;
}

export async function startRest(options: TestAppOptions = {}, bench = new Workbench()): Promise<RestStory> {
  const helix = await startTestApp({ module: restOver(bench), ...options });
  const keys = helix.app.nest.get(ApiKeysService);
  const organizations = helix.app.nest.get(OrganizationsService);
  const members = helix.app.nest.get(MembersService);
  const people = helix.app.nest.get(PeopleService);
  const keyOf = async (organizationId: string, userId: string, key: Partial<NewApiKey> = {}) => {
    const draft = { organizationId, userId, name: 'test', scopes, projectIds: null, expiresAt: null, ...key };
    return new Client(helix.url, (await keys.create(draft, operator)).secret, organizationId, userId);
  };
  return {
    helix,
    bench,
    async owner() {
      const made = await organizations.create(
        { name: 'A workspace', owner: { name: 'Ann', email: null } },
        operator,
      );
      return keyOf(made.organizationId, made.userId);
    },
    async member(of, role, key) {
      const userId = await people.add({ name: 'Max', email: null });
      await members.add(of.organizationId, userId, role, operator);
      return keyOf(of.organizationId, userId, key);
    },
    key: (of, key) => keyOf(of.organizationId, of.userId, key),
    keyIn: (workspace, of) => keyOf(workspace.organizationId, of.userId),
    close: () => helix.close(),
  };
}
