import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../support/bundle.js';
import { HelixProgram } from './helix-process.js';

/** Commands that need neither a database nor a running Helix. */
let folder: string;
let helix: HelixProgram;

const good = `
tools:
  - id: greet
    description: Greets a person
    input:
      name: { type: string, required: true }
    steps:
      - set-body: { starlang: '{ text: "hello " ++ payload.name }' }
workflows:
  - id: entry
    from: http-server://127.0.0.1:\${WEB_PORT}/hello?api_keys=\${WEB_KEY}
    steps:
      - target: tool://greet
      - target: https://hooks.example/\${HOOK}
        disabled: true
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-cli-'));
  await writeFile(join(folder, 'good.yaml'), good.replace(/ {6}- target: https[\s\S]*$/, ''));
  await writeFile(
    join(folder, 'bad.yaml'),
    'workflow: []\ntools:\n  - id: t\n    steps: [{ set-body: { starlang: "payload +" } }]\n',
  );
  await writeFile(
    join(folder, 'bomb.yaml'),
    `a0: &a0 [x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]\n`).join('')}`,
  );
  await writeFile(join(folder, 'double.star'), 'payload map ((row) -> { n: row.n as Number * 2 })');
  await writeFile(join(folder, 'rows.json'), '[{"n": 1}, {"n": 21}]');
  helix = new HelixProgram(await bundleForNode('src/cli.ts'), { HELIX_HOME: join(folder, 'home') }, folder);
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('helix validate', () => {
  const secrets = { WEB_PORT: '18080', WEB_KEY: 'a&b#"secret' };

  it('accepts a sound workspace, its variables filled in', async () => {
    const { code, out } = await helix.run(['validate', 'good.yaml'], { env: secrets });
    expect({ code, out }).toEqual({ code: 0, out: 'No problems in 1 file.\n' });
  });

  it('names a missing variable with its place, exit 1', async () => {
    const { code, out } = await helix.run(['validate', 'good.yaml'], { env: { WEB_PORT: '1' } });
    expect(code).toBe(1);
    expect(out).toContain('good.yaml:11:62  error  variable');
  });

  it('shows every mistake with its line and suggestion', async () => {
    const { code, out } = await helix.run(['validate', 'good.yaml:bad.yaml'], { env: secrets });
    expect(code).toBe(1);
    expect(out).toContain('bad.yaml:1:1  error  unknown-key');
    expect(out).toContain('did you mean "workflows"?');
    expect(out).toContain('bad.yaml:4:47  error  wrong-script');
    expect(out).toMatch(/\d errors in 2 files\.\n$/);
  });

  it('writes JSON and SARIF that parse', async () => {
    const json = await helix.run(['validate', 'bad.yaml', '--format', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ valid: false, files: 1 });
    const sarif = await helix.run(['validate', 'bad.yaml', '--format', 'sarif']);
    expect(sarif.code).toBe(1);
    expect(JSON.parse(sarif.out)).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ level: 'error' }, {}] }],
    });
  });

  it('refuses an alias bomb and a path that is not there', async () => {
    expect((await helix.run(['validate', 'bomb.yaml'])).out).toContain('yaml-too-large');
    const { code, out } = await helix.run(['validate', 'gone']);
    expect(code).toBe(1);
    expect(out).toContain('does not exist');
  });

  it('accepts the example workspace without anything set', async () => {
    const { code, out } = await helix.run(['validate']);
    expect(out).toMatch(/^No problems in/);
    expect(code).toBe(0);
  });
});

describe('helix test', () => {
  it('passes the tests of the example workspace, which run all of it', async () => {
    const { code, out, err } = await helix.run(['test', '--coverage-min', '100']);
    expect({ code, err, out }).toMatchObject({ code: 0, err: '' });
    expect(out).toMatch(/^\d+ tests: \d+ passed in .* of virtual time\.$/m);
  });
});

describe('helix graph', () => {
  it('draws targets and never the value of a variable', async () => {
    await writeFile(join(folder, 'hook.yaml'), good);
    const { out } = await helix.run(['graph', 'hook.yaml'], {
      env: { WEB_PORT: '1', WEB_KEY: 'hush1', HOOK: 'hush2' },
    });
    expect(out).toMatch(/^flowchart LR\n/);
    expect(out).toContain('tool greet');
    expect(out).not.toMatch(/hush/);
  });

  it('writes a picture of one tool with its neighbours to a file', async () => {
    const env = { WEB_PORT: '1', WEB_KEY: 'hush1', HOOK: 'hush2' };
    const drawn = await helix.run(['graph', 'hook.yaml', '--format', 'svg', '--of', 'greet', '-o', 'g.svg'], {
      env,
    });
    expect(drawn).toMatchObject({ code: 0, out: '' });
    const svg = await readFile(join(folder, 'g.svg'), 'utf8');
    expect(svg).toMatch(/^<svg .*role="img"/);
    expect(svg).toContain('entry sends to greet.');
    expect(svg).not.toMatch(/hush/);
    const nobody = await helix.run(['graph', 'hook.yaml', '--of', 'nobody'], { env });
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('"nobody"') as string });
  });
});

describe('helix starlang', () => {
  it('runs a script on a file and on standard input', async () => {
    expect(
      (await helix.run(['starlang', 'run', 'double.star', '--input', 'rows.json'])).out.replaceAll(/\s/g, ''),
    ).toBe('[{"n":2},{"n":42}]');
    const piped = await helix.run(['starlang', 'run', '--expr', 'upper(payload)', '--input', '-'], {
      stdin: '"x"',
    });
    expect(piped).toMatchObject({ code: 0, out: '"X"\n' });
  });

  it('checks without running, exit 1 where a script is wrong', async () => {
    expect((await helix.run(['starlang', 'check', 'double.star'])).code).toBe(0);
    await writeFile(join(folder, 'wrong.star'), 'uper("x")');
    const { code, err } = await helix.run(['starlang', 'check', 'wrong.star']);
    expect(code).toBe(1);
    expect(err).toContain('upper');
  });
});

describe('helix components and schema', () => {
  it('lists components with their options', async () => {
    const { components, steps } = JSON.parse((await helix.run(['components', '--json'])).out) as {
      components: { scheme: string; options: { name: string }[] }[];
      steps: { keyword: string }[];
    };
    expect(
      components.find(({ scheme }) => scheme === 'mcp-server')?.options.map(({ name }) => name),
    ).toContain('api_keys');
    expect(steps.map(({ keyword }) => keyword)).toContain('choice');
    expect((await helix.run(['components', 'http-srver'])).err).toContain('did you mean "http-server"');
  });

  it('prints a JSON Schema', async () => {
    expect(JSON.parse((await helix.run(['schema'])).out)).toMatchObject({ title: 'Helix workspace' });
  });
});

describe('helix call and tools without a running Helix', () => {
  it('say what to do, exit 2', async () => {
    const noKey = await helix.run(['tools']);
    expect(noKey).toMatchObject({ code: 2, out: '' });
    expect(noKey.err).toContain('helix run');
    const nobody = await helix.run(['call', 'x', '--url', 'http://127.0.0.1:9'], {
      env: { HELIX_API_KEY: 'k' },
    });
    expect(nobody.code).toBe(2);
    expect(nobody.err).toContain('Nothing answers at http://127.0.0.1:9');
  });

  it('refuse an input that is no JSON object, exit 1', async () => {
    for (const input of ['{', '[]', '@gone.json']) {
      expect((await helix.run(['call', 'x', '--input', input])).code).toBe(1);
    }
  });
});
