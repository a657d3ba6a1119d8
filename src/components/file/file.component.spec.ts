import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Processor } from '../../common/engine/api/processor.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock } from '../../common/engine/testing/manual-clock.js';
import { MemoryLog } from '../../common/engine/testing/memory-log.js';
import { startEngine } from '../../common/engine/testing/test-engine.js';
import { FileComponent } from './file.component.js';

let count = 0;
const ids = { next: () => `id-${++count}` };
const make = (clock = new ManualClock(), log = new MemoryLog()) => new FileComponent({ clock, ids, log });

describeComponent(
  make,
  'file://folder',
  'file:///folder?include=*.json,*.csv&as=json&period=5s',
  'file://f?exists=append',
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const names = async (below = ''): Promise<readonly string[]> => (await readdir(join(folder, below))).sort();

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

const send = async (
  query: string,
  body: unknown,
  headers: Readonly<Record<string, unknown>> = {},
): Promise<Exchange> => {
  const exchange = new Exchange({ id: 'x', body, headers });
  try {
    await make()
      .endpoint(EndpointUri.parse(`file://${folder}?${query}`))
      .producer?.()(exchange);
  } catch (thrown) {
    exchange.fail(thrown);
  }
  return exchange;
};

describe('file:// as a target', () => {
  it.each([
    ['text', 'text'],
    [{ a: [1] }, '{"a":[1]}'],
    [Buffer.from('bytes'), 'bytes'],
    [null, ''],
  ])('writes %j as %j and leaves nothing else', async (body, content) => {
    const exchange = await send('file-name=out.txt', body);
    expect(exchange.failure).toBeNull();
    expect(exchange.headers.get('HelixFilePath')).toBe(join(folder, 'out.txt'));
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe(content);
    expect(await names()).toEqual(['out.txt']);
  });

  it('takes the name of the message first, and makes folders on the way', async () => {
    await send('file-name=other', 'x', { HelixFileName: 'a/b/c.txt' });
    expect(await readFile(join(folder, 'a/b/c.txt'), 'utf8')).toBe('x');
  });

  it.each([
    ['replace', 'new', null],
    ['append', 'oldnew', null],
    ['keep', 'old', null],
    ['fail', 'old', 'FILE.NOT_WRITTEN'],
  ])('exists=%s leaves %j', async (exists, content, code) => {
    await writeFile(join(folder, 'f'), 'old');
    const { failure } = await send(`file-name=f&exists=${exists}`, 'new');
    expect(failure?.code ?? null).toBe(code);
    expect(await readFile(join(folder, 'f'), 'utf8')).toBe(content);
    expect(await names()).toEqual(['f']);
  });

  it.each(['../out', 'a/../../out', '/srv/out', '', '.', 'a/', 'nul\0l'])(
    'writes nothing to %j, which leads out of the folder or is no name',
    async (name) => {
      const { failure } = await send('', 'x', { HelixFileName: name });
      expect(failure?.code).toBe('FILE.NOT_WRITTEN');
      expect(await names()).toEqual([]);
    },
  );

  it('follows no link out of the folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'helix-outside-'));
    try {
      await symlink(outside, join(folder, 'link'));
      const { failure } = await send('', 'x', { HelixFileName: 'link/out' });
      expect(failure?.code).toBe('FILE.NOT_WRITTEN');
      expect(await readdir(outside)).toEqual([]);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('says that a name is missing', async () => {
    expect((await send('', 'x')).failure?.message).toContain('HelixFileName');
  });
});

async function watch(query: string, work: Processor = () => undefined) {
  const clock = new ManualClock();
  const log = new MemoryLog();
  const seen: string[] = [];
  const { engine } = await startEngine({
    clock,
    components: [make(clock, log)],
    processors: {
      work: (exchange) => {
        seen.push(`${String(exchange.headers.get('HelixFileName'))}: ${exchange.in.bodyAsString()}`);
        return work(exchange);
      },
    },
    workflows: [
      {
        id: 'w',
        from: `file://${folder}?period=1s&stable-for=2s&${query}`,
        steps: [{ target: 'test://work' }],
      },
    ],
  });
  /** Goes on by a second, and waits until the folder has been looked at. */
  const look = async (): Promise<void> => {
    await until(() => clock.pending > 0);
    await clock.advance(1000);
    await until(() => clock.pending > 0);
  };
  const stop = () => engine.stop({ timeoutMs: 0 });
  return { engine, clock, log, seen, look, stop };
}

describe('file:// as a trigger', () => {
  it('reads files that stand still, by name, and puts them away', async () => {
    await writeFile(join(folder, 'b.txt'), 'two');
    await writeFile(join(folder, 'a.txt'), 'one');
    const { seen, look, stop, clock } = await watch('');
    await look();
    await look();
    expect(seen).toEqual([]);
    await look();
    expect(seen).toEqual(['a.txt: one', 'b.txt: two']);
    expect(await names()).toEqual(['.done']);
    expect(await names('.done')).toEqual(['a.txt', 'b.txt']);
    await look();
    expect(seen).toHaveLength(2);
    await stop();
    expect(clock.pending).toBe(0);
  });

  it('never reads a file that still grows, hidden files and drafts', async () => {
    const { seen, look, stop } = await watch('');
    for (const name of ['.hidden', 'draft.part']) await writeFile(join(folder, name), 'x');
    for (let size = 1; size <= 5; size++) {
      await writeFile(join(folder, 'grows'), 'x'.repeat(size));
      await look();
      expect(seen).toEqual([]);
    }
    await look();
    await look();
    expect(seen).toEqual(['grows: xxxxx']);
    await stop();
  });

  it('puts failed files apart, unreadable ones and those that are too large too', async () => {
    await writeFile(join(folder, 'a.json'), '{"a":1}');
    await writeFile(join(folder, 'b.json'), '{broken');
    await writeFile(join(folder, 'c.json'), `"${'x'.repeat(100)}"`);
    await writeFile(join(folder, 'd.txt'), 'not mine');
    const { seen, look, stop, log } = await watch('as=json&include=*.json&max-bytes=50', () => {
      throw new Error('no');
    });
    for (let turn = 0; turn < 3; turn++) await look();
    expect(seen).toEqual(['a.json: {"a":1}']);
    expect(await names()).toEqual(['.failed', 'd.txt']);
    expect(await names('.failed')).toEqual(['a.json', 'b.json', 'c.json']);
    expect(log.messages('warn')).toHaveLength(2);
    await stop();
  });

  it('keeps both where a file of that name was put away before', async () => {
    await mkdir(join(folder, '.done'));
    await writeFile(join(folder, '.done/a.txt'), 'before');
    await writeFile(join(folder, 'a.txt'), 'after');
    const { look, stop } = await watch('');
    for (let turn = 0; turn < 3; turn++) await look();
    expect(await names('.done')).toEqual(['a-1.txt', 'a.txt']);
    await stop();
  });

  it('deletes where told to', async () => {
    await writeFile(join(folder, 'a.txt'), 'x');
    const { seen, look, stop } = await watch('delete=true');
    for (let turn = 0; turn < 3; turn++) await look();
    expect(seen).toHaveLength(1);
    expect(await names()).toEqual([]);
    await stop();
  });

  it('finishes the file in hand when it stops, begins no other, and leaves no timer', async () => {
    await writeFile(join(folder, 'a.txt'), 'x');
    await writeFile(join(folder, 'b.txt'), 'x');
    let open: (() => void) | undefined;
    const { engine, clock, seen, look } = await watch(
      '',
      () => new Promise((resolve) => void (open = resolve)),
    );
    await look();
    await look();
    await clock.advance(1000);
    await until(() => open !== undefined);
    const stopping = engine.stop({ timeoutMs: 60_000 });
    open?.();
    expect((await stopping).stuck).toEqual([]);
    expect(seen).toEqual(['a.txt: x']);
    expect(await names()).toEqual(['.done', 'b.txt']);
    expect(clock.pending).toBe(0);
  });

  it('leaves the file that a stop cuts off for the next start', async () => {
    await writeFile(join(folder, 'a.txt'), 'x');
    const { engine, clock, seen, look } = await watch(
      '',
      (exchange) =>
        new Promise((_, reject) => {
          exchange.signal.addEventListener('abort', () => reject(exchange.signal.reason as Error));
        }),
    );
    await look();
    await look();
    await clock.advance(1000);
    await until(() => seen.length > 0);
    const stopping = engine.stop({ timeoutMs: 0 });
    await clock.advance(0);
    expect((await stopping).stuck).toHaveLength(1);
    expect(await names()).toEqual(['a.txt']);
  });

  it('outlives a folder that is away for a while, and tells it once', async () => {
    const { seen, look, stop, log } = await watch('');
    await rm(folder, { recursive: true });
    for (let turn = 0; turn < 3; turn++) await look();
    expect(log.messages('warn')).toHaveLength(1);
    await mkdir(folder);
    await writeFile(join(folder, 'a.txt'), 'back');
    for (let turn = 0; turn < 3; turn++) await look();
    expect(seen).toEqual(['a.txt: back']);
    await stop();
  });

  it('refuses to start on a folder that is not there', async () => {
    await rm(folder, { recursive: true });
    await expect(watch('')).rejects.toThrow(/cannot be read/);
  });

  it.each([
    ['done=../x', 'done'],
    ['failed=/x', 'failed'],
    ['period=0', 'period'],
    ['file-name=../x', 'file-name'],
    ['as=xml', 'as'],
  ])('refuses %s', (query, option) => {
    expect(() => make().endpoint(EndpointUri.parse(`file://f?${query}`))).toThrow(option);
  });
});
