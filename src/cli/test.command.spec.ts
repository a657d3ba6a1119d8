import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from './program.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

// The first test loads all that runs a workspace, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The lines that differ. */
const difference = ({ out }: Told): readonly string[] => out.match(/^ +[-+] .*$/gm) ?? [];

/** Runs `helix test` on files of these texts. */
async function helixTest(
  files: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'helix-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const terminal = recordedTerminal({ HELIX_HOME: join(folder, '.home'), ...environment }, { folder });
  const named = words.some((word) => word.endsWith('.yaml')) ? [] : ['.'];
  const code = await runCommand(['test', ...named, ...words], terminal);
  return { code, ...terminal.written };
}

/** "passed" where all tests of the workspace pass, else what is told. */
async function verdict(
  workspace: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, out, err } = await helixTest({ 'w.yaml': workspace }, [], environment);
  return code === 0 ? 'passed' : `${out}${err}`;
}

const greeting = `
workflows:
  - id: greet
    from: direct://greet
    steps:
      - set-body: { starlang: '{ text: "hello " ++ payload.name, tags: ["a", "b"] }' }
`;

describe('time in a test', () => {
  it('passes for retries, delays and time-outs without anybody waiting', async () => {
    expect(
      await verdict(`
workflows:
  - id: patient
    from: direct://patient
    error-handler: { retries: 3, delay: 1m, backoff: exponential, max-delay: 1h }
    steps:
      - delay: 1h
      - target: https://api.example/orders
  - id: hasty
    from: direct://hasty
    timeout: 5s
    steps:
      - target: https://api.example/orders
tests:
  - name: retries with a growing wait
    workflow: patient
    mocks:
      - uri: https://api.example/*
        reply: [{ fail: HTTP.TARGET_FAILED, times: 3 }, { body: done }]
    expect:
      body: done
      elapsed: 67m
      calls: { to: https://api.example/orders, count: 4 }
  - name: gives up in time
    workflow: hasty
    mocks: [{ uri: https://*, reply: { delay: 1d } }]
    expect: { failure: ENGINE.TIMED_OUT, elapsed: 5s }
`),
    ).toBe('passed');
  });

  it('lets timers and schedules of the workflow under test fire, and no others', async () => {
    expect(
      await verdict(`
workflows:
  - id: beat
    from: timer://beat?period=5s&delay=1s
    steps: [{ target: mock://beats }]
  - id: nightly
    trigger: { uri: cron://nightly, parameters: { schedule: '0 3 * * *' } }
    steps:
      - set-body: { starlang: 'now() as String { format: "yyyy-MM-dd HH:mm" }' }
      - target: mock://nights
tests:
  - name: beats
    workflow: beat
    clock: { run-for: 1m }
    expect:
      calls: [{ to: mock://beats, count: 12 }, { to: mock://nights, count: 0 }]
  - name: comes each night
    workflow: nightly
    clock: { start: 2026-11-29T12:00:00Z, run-for: 2d }
    expect:
      calls: { to: mock://nights, bodies: [2026-11-30 03:00, 2026-12-01 03:00] }
`),
    ).toBe('passed');
  });

  it('completes groups whose time is over', async () => {
    expect(
      await verdict(`
workflows:
  - id: gather
    from: direct://gather
    steps:
      - aggregate:
          timeout: 30s
          steps: [{ target: mock://group }]
tests:
  - name: two messages and a pause
    workflow: gather
    trigger: [{ body: 1 }, { body: 2, after: 10s }]
    clock: { run-for: 1m }
    expect: { calls: { to: mock://group, bodies: [[1, 2]] } }
`),
    ).toBe('passed');
  });

  it('and chance are the same in every run', async () => {
    const workspace = `
workflows:
  - id: chance
    from: direct://chance
    steps: [{ set-body: { starlang: '{ id: uuid(), at: now(), number: random() }' } }]
tests:
  - name: repeats
    workflow: chance
    expect: { contains: { id: 00000000-0000-4000-8000-000000000001, at: 2026-01-01T00:00:00Z, number: -1 } }
`;
    const [one, other] = [await helixTest({ 'w.yaml': workspace }), await helixTest({ 'w.yaml': workspace })];
    expect(difference(one)).toHaveLength(2);
    expect(difference(one)).toEqual(difference(other));
  });
});

describe('targets in a test', () => {
  it('are stood in for by exact address, prefix and expression, the first that fits', async () => {
    expect(
      await verdict(`
workflows:
  - id: ask
    from: direct://ask
    steps:
      - enrich: { starlang: '"https://api.example/" ++ payload' }
  - { id: fixed, from: direct://fixed, steps: [{ target: https://api.example/two }] }
tests:
  - name: exact
    workflow: ask
    trigger: { body: one }
    mocks: &mocks
      - { uri: https://api.example/one, reply: { body: 1 } }
      - { uri: https://api.example/t*, reply: { starlang: 'upper(payload)', headers: { x: y } } }
      - { uri: '/example.[a-z]+$/', reply: { body: 3 } }
    expect: { body: 1 }
  - name: prefix
    workflow: ask
    trigger: { body: two }
    mocks: *mocks
    expect: { body: TWO }
  - name: headers
    workflow: fixed
    trigger: { body: a, headers: { x: before, z: stays } }
    mocks: *mocks
    expect: { body: A, headers: { X: y, z: stays, w: null } }
  - name: expression
    workflow: ask
    trigger: { body: other }
    mocks: *mocks
    expect: { body: 3 }
`),
    ).toBe('passed');
  });

  it('go wrong where the test says so and are the real ones otherwise', async () => {
    expect(
      await verdict(`
workflows:
  - id: outer
    from: direct://outer
    error-handler: { retries: 1, delay: 1s }
    steps: [{ target: direct://inner }]
  - id: inner
    from: direct://inner
    steps: [{ set-body: inner }]
tests:
  - name: the first call fails
    workflow: outer
    faults: [{ uri: direct://inner, call: 1, fail: STORE.BUSY }]
    expect: { body: inner, elapsed: 1s, calls: { to: direct://inner, count: 2 } }
`),
    ).toBe('passed');
  });

  it('outside are refused where nothing stands in for them, even where a handler swallows the failure', async () => {
    const { code, out } = await helixTest({
      'w.yaml': `
workflows:
  - id: swallow
    from: direct://swallow
    on-exception: { handled: true, steps: [{ set-body: fine }] }
    steps: [{ target: 'https://api.example/a?bearer=hidden1' }]
tests:
  - { name: looks fine, workflow: swallow, expect: { body: fine } }
`,
    });
    expect(code).toBe(1);
    expect(out).toContain('https://api.example/a is outside and nothing stands in for it');
    expect(out).not.toContain('hidden1');
  });

  it('outside are really called where the test allows it', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"real":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(
      await verdict(
        `
workflows:
  - { id: out, from: direct://out, timeout: 10s, steps: [{ target: '\${TARGET}' }] }
tests:
  - { name: calls, workflow: out, allow: http://127.0.0.1*, expect: { body: { real: true }, elapsed: 0s } }
`,
        { TARGET: address, HELIX_ALLOW_PRIVATE_EGRESS: 'true' },
      ),
    ).toBe('passed');
  });

  it('that never answer and are waited for without end are told, with the place', async () => {
    const { code, out } = await helixTest({
      'w.yaml': `
workflows:
  - { id: w, from: direct://w, steps: [{ id: ask, target: https://api.example }] }
tests:
  - { name: hangs, workflow: w, mocks: [{ uri: https://*, reply: { hang: true } }] }
`,
    });
    expect(code).toBe(1);
    expect(out).toContain('never comes. On its way: w/ask.');
  });

  it('of dead letters are seen with their code', async () => {
    expect(
      await verdict(`
workflows:
  - id: buried
    from: direct://buried
    error-handler: { dead-letter: seda://dead }
    steps: [{ throw: { code: ORDER.WRONG, value: no } }]
  - { id: dead, from: seda://dead, steps: [{ target: mock://grave }] }
  - { id: tap, from: direct://tap, steps: [{ wire-tap: mcp://127.0.0.1:1/x }] }
tests:
  - name: buries
    workflow: buried
    trigger: { body: { id: 7 } }
    expect:
      failure: { code: ORDER.WRONG, message: no, step: 'throw[0]' }
      dead-letters: { code: ORDER.WRONG, contains: { id: 7 } }
      calls: { to: mock://grave, count: 1 }
  - name: keeps what nobody waits for
    workflow: tap
    expect: { dead-letters: [{ code: MCP.CONNECT_FAILED }], calls: { to: dead-letter://tap } }
    mocks: [{ uri: mcp://*, reply: { fail: MCP.CONNECT_FAILED } }]
`),
    ).toBe('passed');
  });
});

describe('an HTTP trigger in a test', () => {
  it('takes the same way as on the network: path, query, guard, schema, encoder', async () => {
    expect(
      await verdict(
        `
workflows:
  - id: order
    trigger:
      uri: http-server://127.0.0.1:8099/orders/{id}
      parameters: { method: 'PUT,GET', api_keys: '\${KEY}' }
    steps:
      - set-header: { name: HelixHttpStatus, value: 201 }
      - set-body:
          starlang: '{ id: attributes.uriParams.id, q: attributes.queryParams.q, sent: payload, secret: header("HelixCaller") }'
tests:
  - name: lets in
    workflow: order
    trigger:
      path: { id: a/b }
      query: { q: [1, 2] }
      headers: { x-api-key: '\${KEY}', HelixCaller: me }
      body: { n: 1 }
    expect:
      status: 201
      body: { id: a/b, q: ['1', '2'], sent: { n: 1 }, secret: null }
  - name: keeps out
    workflow: order
    trigger: { path: { id: 1 } }
    expect: { status: 401, headers: { www-authenticate: Bearer }, failure: ACCESS.UNAUTHENTICATED }
`,
        { KEY: 'key-of-the-test' },
      ),
    ).toBe('passed');
  });
});

describe('an expectation that does not come true', () => {
  const wrong = `${greeting}
tests:
  - name: greets
    workflow: greet
    trigger: { body: { name: Ada } }
    expect:
      body:
        text: hello Bob
        tags: [a, b]
      failure: GREET.REFUSED
      calls: { to: mock://never }
`;

  it('is told with its place and the difference, exit 1', async () => {
    const { code, out } = await helixTest({ 'w.yaml': wrong });
    expect(code).toBe(1);
    expect(out).toContain(`✗ greet: greets
  w.yaml:16:7
    The workflow did not fail; GREET.REFUSED was expected.
  w.yaml:13:7
    The body is another.
        {
      -   "text": "hello Bob",
      +   "text": "hello Ada",
          "tags": [
            "a",
        …
  w.yaml:17:14
    mock://never was not called.

1 test: 1 failed in`);
  });

  it('stands in JSON and JUnit', async () => {
    const { out } = await helixTest({ 'w.yaml': wrong }, ['--json']);
    expect(JSON.parse(out)).toMatchObject({
      failed: 1,
      tests: [
        { name: 'greets', workflow: 'greet', state: 'failed', misses: [{ place: 'w.yaml:16:7' }, {}, {}] },
      ],
    });
    const junit = (await helixTest({ 'w.yaml': wrong }, ['--format', 'junit'])).out;
    expect(junit).toContain('<testsuite name="w.yaml" tests="1" failures="1" skipped="0"');
    expect(junit).toContain('&quot;text&quot;: &quot;hello Bob&quot;');
  });

  it('shows no value that came from a variable', async () => {
    const { out } = await helixTest(
      {
        'w.yaml': `
workflows:
  - { id: w, from: direct://w, steps: [{ set-body: 'token \${TOKEN}' }] }
tests:
  - { name: leaks, workflow: w, expect: { body: none } }
`,
      },
      [],
      { TOKEN: 'hush-hush-hush' },
    );
    expect(out).toContain('+ "token [secret]"');
    expect(out).not.toContain('hush-hush');
  });
});

/** A mock that fails so. */
const failing = (code: string): string => `mocks: [{ uri: https://*, reply: { fail: ${code} } }]`;

describe('a mishap of a test', () => {
  it('with a code that no failure has is doubted, for a clause would never meet it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helix-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      join(folder, 'w.yaml'),
      `${greeting}
tests:
  - { name: slip, workflow: greet, ${failing('HTTP.TARGET_FAILD')} }
  - { name: own, workflow: greet, ${failing('WAREHOUSE.EMPTY')} }
  - { name: known, workflow: greet, ${failing('HTTP.TARGET_FAILED')} }
`,
    );
    const terminal = recordedTerminal({ HELIX_HOME: folder }, { folder });
    expect(await runCommand(['validate', '.'], terminal)).toBe(0);
    expect(terminal.written.out).toContain('did you mean HTTP.TARGET_FAILED?');
    expect(terminal.written.out).toContain('1 warning in 1 file.');
  });
});

describe('which tests run', () => {
  const files = {
    'w.yaml': greeting,
    'a.test.yaml': `
tests:
  - { name: one, workflow: greet, trigger: { body: { name: A } } }
  - { name: two, workflow: greet, skip: not yet }
`,
    'b.test.yaml': 'tests: [{ name: three, workflow: greet, trigger: { body: { name: B } } }]',
  };

  it('is all of them, those of named files, or those of a name', async () => {
    expect((await helixTest(files)).out).toMatch(/3 tests: 2 passed, 1 skipped/);
    expect((await helixTest(files, ['b.test.yaml'])).out).toMatch(/1 test: 1 passed/);
    expect((await helixTest(files, ['--filter', 'ONE'])).out).toMatch(/1 test: 1 passed/);
    expect((await helixTest(files, ['--filter', '/: (one|three)$/'])).out).toMatch(/2 tests: 2 passed/);
  });

  it('is never none without a word, exit 1', async () => {
    expect(await helixTest(files, ['--filter', 'four'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('correct --filter') as string,
    });
    expect(await helixTest({ 'w.yaml': greeting })).toMatchObject({
      code: 1,
      err: expect.stringContaining('There are no tests') as string,
    });
  });

  it('is none of a workspace with mistakes, which are told with place and suggestion', async () => {
    const { code, err } = await helixTest({
      'w.yaml': greeting,
      'x.test.yaml': `
workflows: []
tests:
  - name: wrong
    workflow: gret
    mocks: [{ uri: 'no address' }]
    expect: { boddy: 1, that: 'payload +' }
`,
    });
    expect(code).toBe(1);
    for (const part of [
      'x.test.yaml:2:1  error  test-file',
      'There is no workflow "gret"; did you mean "greet"?',
      '"no address" names no targets',
      'did you mean "body"?',
      'x.test.yaml:7:41  error  test',
    ])
      expect(err).toContain(part);
  });
});

describe('coverage', () => {
  const workspace = `
workflows:
  - id: risky
    from: direct://risky
    on-exception:
      - { match: A.*, handled: true }
      - { match: B.*, handled: true, steps: [{ set-body: b }] }
    steps:
      - try:
          do: [{ target: https://api.example }]
          catch: [{ match: C.*, steps: [{ set-body: c }] }]
      - choice:
          when: { starlang: payload == "c", steps: [{ log: c }] }
          otherwise: [{ log: other }]
tests:
  - { name: a, workflow: risky, mocks: [{ uri: https://*, reply: { fail: A.X } }] }
  - { name: c, workflow: risky, mocks: [{ uri: https://*, reply: { fail: C.X } }] }
`;

  it('names branches and error clauses that no test ran', async () => {
    const { code, out } = await helixTest({ 'w.yaml': workspace }, ['--coverage']);
    expect(code).toBe(0);
    expect(out).toContain('workflows 1/1, steps 5/7, branches 2/3, error clauses 2/3.');
    expect(out).toMatch(/w\.yaml:7:9 {2}risky: on-exception B\.\*/);
    expect(out).toMatch(/risky: choice otherwise/);
    expect(out).not.toMatch(/risky: on-exception A/);
  });

  it('below what is asked for fails', async () => {
    const asked = await helixTest({ 'w.yaml': workspace }, ['--coverage-min', '90%']);
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('should cover 90 %') as string });
    expect((await helixTest({ 'w.yaml': workspace }, ['--coverage-min', '50'])).code).toBe(0);
  });
});
