import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startStand, type Stand } from './support/mcp-stand.js';
import { modern, send, type RawAnswer } from './support/raw-http.js';

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const askName = { ask: { questions: { who: { message: 'Who are you?', schema } } } };
const greet = { 'set-body': { starlang: '"Hello " + vars.answers.who.action' } };
const tool = (id: string, ...steps: readonly unknown[]) => ({
  id,
  from: `direct://${id}`,
  'input-schema': { type: 'object', properties: {} },
  steps,
});

let stand: Stand;
let runs = 0;
/** Resolves when a client comes back for its answer. */
let comeBack!: () => void;
const isBack = new Promise<void>((resolve) => (comeBack = resolve));

beforeAll(async () => {
  stand = await startStand({
    options: 'api_keys=ann,bob&tasks=job&tasks_required=only-job&poll_after=100ms',
    processors: {
      count: () => void runs++,
      slow: () => isBack,
      hang: (exchange) =>
        new Promise((resolve) => exchange.signal.addEventListener('abort', () => resolve())),
    },
    workflows: [
      tool('hello', { target: 'test://count' }, askName, greet),
      tool('job', askName, greet),
      tool('only-job', { target: 'test://hang' }),
      tool(
        'tells',
        { log: { value: 'a whisper', to: 'caller', level: 'debug' } },
        { log: { value: 'a word', to: 'caller' } },
      ),
      tool('touch', { target: 'mcp-resource://note' }),
      tool('slow', { target: 'test://slow' }, { 'set-body': 'at last' }),
      {
        id: 'note',
        from: 'mcp-resource://note?uri=notes://today',
        steps: [{ 'set-body': { value: { n: 1 } } }],
      },
      {
        id: 'day',
        from: 'mcp-resource://day?template=notes://{day}/log',
        steps: [{ 'set-body': { starlang: 'payload.day' } }],
      },
      {
        id: 'tone',
        from: 'mcp-prompt://tone?title=Tone',
        'input-schema': {
          type: 'object',
          properties: { tone: { type: 'string', enum: ['plain', 'polite'], description: 'How.' } },
          required: ['tone'],
        },
        steps: [{ 'set-body': { starlang: '"Be " + payload.tone' } }],
      },
    ],
  });
});

afterAll(() => stand.close());

const asks = { elicitation: {} };
const knowsTasks = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A request of 2026-07-28 by one of the two keys. */
async function ask(
  method: string,
  params: Record<string, unknown>,
  { key = 'ann', capabilities = asks }: { key?: string; capabilities?: object } = {},
): Promise<RawAnswer & { readonly result: Record<string, unknown> }> {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const { headers, body } = modern(method, { ...params, _meta: meta });
  const taskId = params['taskId'];
  const name = typeof taskId === 'string' ? { 'mcp-name': taskId } : {};
  const answer = await send(stand.url, {
    headers: { ...headers, ...name, 'x-api-key': key },
    body: body ?? '',
  });
  return { ...answer, result: (answer.json().result ?? {}) as Record<string, unknown> };
}

/** Calls `hello` with answers to what it asks. */
const answering = (inputResponses: object) =>
  ask('tools/call', { name: 'hello', arguments: {}, inputResponses });

const countPrompts = async (): Promise<number> =>
  ((await ask('prompts/list', {})).result['prompts'] as readonly unknown[]).length;

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function legacyClient(capabilities = {}, look?: (request: RequestInit) => void): Promise<Client> {
  const client = new Client({ name: 'story', version: '1' }, { capabilities });
  const requestInit = { headers: { 'x-api-key': 'ann' } };
  const watched: typeof fetch = (url, init) => {
    look?.(init ?? {});
    return fetch(url, init);
  };
  await client.connect(new StreamableHTTPClientTransport(stand.url, { requestInit, fetch: watched }));
  clients.push(client);
  return client;
}

const accepted = { who: { action: 'accept', content: { name: 'Ann' } } };

describe('a question of a workflow, 2026-07-28', () => {
  it('ends the call, which goes on with the answer, by the same key only', async () => {
    const first = await ask('tools/call', { name: 'hello', arguments: {} });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who are you?' } } },
    });
    const { requestState } = first.result;
    const again = { name: 'hello', arguments: {}, inputResponses: accepted, requestState };
    const stolen = await ask('tools/call', again, { key: 'bob' });
    expect(stolen.json().error).toMatchObject({ code: -32602 });
    const other = await ask('tools/call', { ...again, name: 'job' });
    expect(other.json().error).toMatchObject({ code: -32602 });
    expect((await ask('tools/call', again)).result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: 'Hello accept' }],
    });
  });

  it('is asked again for an answer that does not fit, and takes a refusal', async () => {
    for (const unfit of [
      { who: 7 },
      { who: { action: 'maybe' } },
      { who: { action: 'accept' } },
      { other: 1 },
    ])
      expect((await answering(unfit)).result).toMatchObject({ resultType: 'input_required' });
    expect((await answering({ who: { action: 'decline' } })).result).toMatchObject({
      content: [{ text: 'Hello decline' }],
    });
    expect((await answering([])).json().error).toMatchObject({ code: -32602 });
  });

  it('is refused with the capability that is missing', async () => {
    const { status, ...answer } = await ask(
      'tools/call',
      { name: 'hello', arguments: {} },
      { capabilities: {} },
    );
    expect(status).toBe(400);
    expect(answer.json().error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });
});

describe('a question of a workflow, 2025-11-25', () => {
  it('is a request on the stream, and the workflow waits for it', async () => {
    const client = await legacyClient(asks);
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { name: 'Ann' },
    }));
    runs = 0;
    expect(await client.callTool({ name: 'hello', arguments: {} })).toMatchObject({
      content: [{ text: 'Hello accept' }],
    });
    expect(runs).toBe(1);
  });

  it('fails the tool in words where the client cannot be asked', async () => {
    const client = await legacyClient();
    const answer = await client.callTool({ name: 'hello', arguments: {} });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('elicitation') as string }],
    });
  });
});

describe('a task', () => {
  it('asks, is answered and done, and is nobody else’s', async () => {
    const as = { capabilities: knowsTasks };
    const { taskId, ...made } = (await ask('tools/call', { name: 'job', arguments: {} }, as)).result;
    expect(made).toMatchObject({ resultType: 'task', status: 'input_required' });
    const stranger = await ask('tasks/get', { taskId }, { key: 'bob', ...as });
    expect(stranger.json().error).toMatchObject({ code: -32602 });
    expect((await ask('tasks/cancel', { taskId }, { key: 'bob', ...as })).json().error).toMatchObject({
      code: -32602,
    });
    const [key = ''] = Object.keys(
      (await ask('tasks/get', { taskId }, as)).result['inputRequests'] as object,
    );
    await ask('tasks/update', { taskId, inputResponses: { [key]: accepted.who } }, as);
    expect((await ask('tasks/get', { taskId }, as)).result).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Hello accept' }] },
    });
  });

  it('is a call like any other for who does not know tasks, unless it must be one', async () => {
    const plain = await ask('tools/call', { name: 'job', arguments: {}, inputResponses: accepted });
    expect(plain.result).toMatchObject({ resultType: 'complete' });
    const refused = await ask('tools/call', { name: 'only-job', arguments: {} });
    expect([refused.status, refused.json().error?.code]).toEqual([400, -32021]);
    expect((await ask('tasks/get', { taskId: 'x' })).json().error).toMatchObject({ code: -32021 });
  });

  it('is aborted when it is cancelled', async () => {
    const as = { capabilities: knowsTasks };
    const { taskId } = (await ask('tools/call', { name: 'only-job', arguments: {} }, as)).result;
    expect((await ask('tasks/cancel', { taskId }, as)).result).toMatchObject({ resultType: 'complete' });
    expect((await ask('tasks/get', { taskId }, as)).result).toMatchObject({ status: 'cancelled' });
  });
});

describe('what a workflow tells its caller', () => {
  it('comes from the level on that the client set', async () => {
    const client = await legacyClient();
    const heard: unknown[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void heard.push(params.data),
    );
    await client.callTool({ name: 'tells', arguments: {} });
    expect(heard).toEqual(['a word']);
    await client.setLoggingLevel('debug');
    await client.callTool({ name: 'tells', arguments: {} });
    expect(heard).toEqual(['a word', 'a whisper', 'a word']);
  });

  it('is nothing in an answer of 2026-07-28 that did not ask for it', async () => {
    expect((await ask('tools/call', { name: 'tells', arguments: {} })).text).not.toContain('a word');
  });
});

describe('prompts and resources of workflows', () => {
  it('are listed, read and completed', async () => {
    const client = await legacyClient();
    expect((await client.listPrompts()).prompts).toEqual([
      { name: 'tone', title: 'Tone', arguments: [{ name: 'tone', description: 'How.', required: true }] },
    ]);
    expect(await client.getPrompt({ name: 'tone', arguments: { tone: 'plain' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Be plain' } }],
    });
    await expect(client.getPrompt({ name: 'tone', arguments: { tone: 'rude' } })).rejects.toThrow('-32602');
    await expect(client.getPrompt({ name: '__proto__' })).rejects.toThrow('-32602');
    const ref = { type: 'ref/prompt', name: 'tone' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'tone', value: 'po' } });
    expect(completion).toMatchObject({ values: ['polite'], hasMore: false });
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://{day}/log', name: 'day' },
    ]);
    expect((await client.readResource({ uri: 'notes://may%201/log' })).contents).toEqual([
      { uri: 'notes://may%201/log', mimeType: 'text/plain', text: 'may 1' },
    ]);
    await expect(client.readResource({ uri: 'notes://a/b/log' })).rejects.toThrow('-32002');
  });

  it('tell who watches that they changed, and nobody else', async () => {
    const [watcher, idle] = [await legacyClient(), await legacyClient()];
    const heard: string[] = [];
    const changed = new Promise<void>((resolve) => {
      watcher.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        heard.push(params.uri);
        resolve();
      });
    });
    idle.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void heard.push('idle'));
    await watcher.subscribeResource({ uri: 'notes://today' });
    await expect(watcher.subscribeResource({ uri: 'notes://never' })).rejects.toThrow('-32002');
    // The stream for what comes unasked opens after the handshake, without anybody waiting for it.
    while (heard.length === 0) {
      await idle.callTool({ name: 'touch', arguments: {} });
      await Promise.race([changed, idle.ping()]);
    }
    expect(new Set(heard)).toEqual(new Set(['notes://today']));
  });
});

describe('a call that takes longer than its stream stays open', () => {
  it('is answered to a client that comes back', async () => {
    const client = await legacyClient({}, ({ headers }) => {
      if (new Headers(headers).has('last-event-id')) comeBack();
    });
    expect(await client.callTool({ name: 'slow', arguments: {} })).toMatchObject({
      content: [{ text: 'at last' }],
    });
  });
});

describe('a workflow that was stopped', () => {
  it('is no prompt until it runs again', async () => {
    await stand.engine.stopWorkflow('tone');
    expect(await countPrompts()).toBe(0);
    await stand.engine.startWorkflow('tone');
    expect(await countPrompts()).toBe(1);
  });
});
