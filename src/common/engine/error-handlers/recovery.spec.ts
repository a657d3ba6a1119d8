import { describe, expect, it } from 'vitest';
import { DirectComponent } from '../../../components/direct/index.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { makeEngine, startEngine, type TestEngine, type TestEngineInit } from '../testing/test-engine.js';
import { workspaceOf } from '../testing/source.js';

/** Fails so many times, then passes; notes what it saw. */
function flaky(
  failures: number,
  code: 'MCP.CONNECTION_LOST' | 'TOOL.INVALID_ARGUMENTS' = 'MCP.CONNECTION_LOST',
) {
  const seen: unknown[] = [];
  return {
    seen,
    process: (exchange: Exchange): void => {
      seen.push({ body: structuredClone(exchange.body), tries: exchange.headers.get('tries') });
      (exchange.body as { changed?: boolean }).changed = true;
      exchange.headers.set('tries', seen.length);
      if (seen.length <= failures) throw new HelixError(code, `failure ${seen.length}`);
    },
  };
}

async function run(made: TestEngine, id = 'w', advance = 1_000_000): Promise<Exchange> {
  const exchange = made.engine.exchange(id, { body: { n: 1 } });
  const done = made.engine.run(id, exchange);
  await made.clock.advance(advance);
  await done;
  return exchange;
}

const one = (init: Omit<TestEngineInit, 'workflows'>, workflow: object): Promise<TestEngine> =>
  startEngine({ ...init, workflows: [{ id: 'w', from: 'test://w', ...workflow }] });

describe('retries', () => {
  it('start at the failed step with the message as it stood before it', async () => {
    const target = flaky(2);
    let before = 0;
    const made = await one(
      { processors: { flaky: target.process, count: () => void before++ } },
      {
        steps: [{ target: 'test://count' }, { target: 'test://flaky' }],
        'error-handler': { retries: 3, delay: '1s' },
      },
    );
    const exchange = await run(made);
    expect(exchange.failure).toBeNull();
    expect(before).toBe(1);
    expect(target.seen).toEqual(Array.from({ length: 3 }, () => ({ body: { n: 1 }, tries: undefined })));
  });

  it('wait as told: exponential, up to the longest', async () => {
    const target = flaky(9);
    const made = await one(
      { processors: { flaky: target.process } },
      {
        steps: [{ target: 'test://flaky' }],
        'error-handler': {
          retries: 4,
          delay: '1s',
          backoff: 'exponential',
          multiplier: 2,
          'max-delay': '3s',
        },
      },
    );
    const exchange = made.engine.exchange('w', { body: {} });
    const done = made.engine.run('w', exchange);
    const counts: number[] = [];
    for (const wait of [0, 999, 1, 2000, 3000, 3000]) {
      await made.clock.advance(wait);
      counts.push(target.seen.length);
    }
    await done;
    expect(counts).toEqual([1, 1, 2, 3, 4, 5]);
    expect(exchange.failure?.message).toBe('failure 5');
  });

  it('of a caller run a called workflow exactly 1 + 3 times, though it removes every header', async () => {
    let calls = 0;
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: {
        broken: () => {
          calls++;
          throw new Error('broken');
        },
      },
      workflows: [
        {
          id: 'child',
          from: 'direct://child',
          steps: [{ 'remove-headers': '*' }, { target: 'test://broken' }],
        },
        { id: 'w', from: 'test://w', steps: [{ target: 'direct://child' }], 'error-handler': { retries: 3 } },
      ],
    });
    const exchange = await run(made);
    expect(calls).toBe(4);
    expect(exchange.failure?.message).toBe('broken');
    expect(exchange.failedAt).toMatchObject({ workflowId: 'child' });
  });

  it('of a nested block are not repeated by the block around it', async () => {
    const target = flaky(9);
    const made = await one(
      { processors: { flaky: target.process } },
      {
        steps: [{ filter: { starlang: 'true', steps: [{ target: 'test://flaky' }] } }],
        'error-handler': { retries: 2 },
      },
    );
    await run(made);
    expect(target.seen).toHaveLength(3);
  });

  it('are not spent on what is the request’s own fault, unless a clause asks for them', async () => {
    const workflow = { steps: [{ target: 'test://flaky' }], 'error-handler': { retries: 3 } };
    const target = flaky(9, 'TOOL.INVALID_ARGUMENTS');
    await run(await one({ processors: { flaky: target.process } }, workflow));
    expect(target.seen).toHaveLength(1);
    const asked = flaky(9, 'TOOL.INVALID_ARGUMENTS');
    const clause = { 'on-exception': { match: 'TOOL.*', retries: 1 } };
    await run(await one({ processors: { flaky: asked.process } }, { ...workflow, ...clause }));
    expect(asked.seen).toHaveLength(2);
  });

  it('end when retry-while no longer holds', async () => {
    const target = flaky(9);
    const made = await one(
      { processors: { flaky: target.process } },
      {
        steps: [{ target: 'test://flaky' }],
        'error-handler': { retries: 9, 'retry-while': 'error.message != "failure 2"' },
      },
    );
    await run(made);
    expect(target.seen).toHaveLength(2);
  });

  it('end with the exchange: a time-out while waiting for the next is a time-out', async () => {
    const target = flaky(9);
    const made = await one(
      { processors: { flaky: target.process } },
      { steps: [{ target: 'test://flaky' }], timeoutMs: 1500, 'error-handler': { retries: 9, delay: '1s' } },
    );
    const exchange = await run(made);
    expect(exchange.failure?.code).toBe('ENGINE.TIMED_OUT');
    expect(target.seen).toHaveLength(2);
    expect(made.clock.pending).toBe(0);
  });

  it('do not go on for ever on a script that fails', async () => {
    const made = await one(
      {},
      { steps: [{ 'set-body': { starlang: 'payload.a.b' } }], 'error-handler': { retries: 2 } },
    );
    const exchange = await run(made);
    expect(exchange.failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
    expect(made.counters.snapshot()).toMatchObject([{ attempts: 3, failures: 3 }]);
  });
});

const failing = {
  processors: {
    lost: () => {
      throw new HelixError('MCP.CONNECTION_LOST', 'the line is dead');
    },
  },
};
const steps = [{ target: 'test://lost' }, { 'set-body': 'went on' }];

const says = (match: string | undefined, said: string): object => ({
  ...(match === undefined ? {} : { match }),
  handled: true,
  steps: [{ 'set-body': said }],
});
const outcome = async (own: object[], global: object[]): Promise<unknown> => {
  const made = await startEngine({
    ...failing,
    'on-exception': global,
    workflows: [{ id: 'w', from: 'test://w', steps, 'on-exception': own }],
  });
  return (await run(made)).body;
};

describe('on-exception', () => {
  it('handled: what the clause gives is the outcome, and the error is readable as data', async () => {
    const made = await one(failing, {
      steps,
      'on-exception': [
        { match: 'MCP.*', handled: true, steps: [{ 'set-body': { starlang: 'error.code' } }] },
      ],
    });
    const exchange = await run(made);
    expect(exchange.failure).toBeNull();
    expect(exchange.body).toBe('MCP.CONNECTION_LOST');
  });

  it('continued: the workflow goes on with the next step', async () => {
    const made = await one(failing, { steps, 'on-exception': { continued: true } });
    expect((await run(made)).body).toBe('went on');
  });

  it('neither: the clause runs and the failure goes on', async () => {
    const made = await one(failing, {
      steps,
      'on-exception': { steps: [{ 'set-header': { name: 'seen', value: true } }] },
    });
    const exchange = await run(made);
    expect(exchange.failure?.message).toBe('the line is dead');
    expect(exchange.headers.get('seen')).toBe(true);
  });

  it('the most specific clause wins, and the workflow’s come before the workspace’s', async () => {
    const all = [
      says(undefined, 'any'),
      says('M*', 'm'),
      says('MCP.*', 'mcp'),
      says('MCP.CONNECTION_LOST', 'exact'),
    ];
    expect(await outcome(all, [])).toBe('exact');
    expect(await outcome(all.slice(0, 3), [])).toBe('mcp');
    expect(await outcome(all.slice(0, 1), all)).toBe('any');
    expect(await outcome([says('TOOL.*', 'tool')], all)).toBe('exact');
    expect(await outcome([says('/line is DEAD/i', 'pattern')], [])).toBe('pattern');
  });

  it('a clause whose when does not hold is passed over', async () => {
    const made = await one(failing, {
      steps,
      'on-exception': [
        { match: 'MCP.*', when: 'payload.n == 2', handled: true, steps: [{ 'set-body': 'two' }] },
        { match: '*', handled: true, steps: [{ 'set-body': 'other' }] },
      ],
    });
    expect((await run(made)).body).toBe('other');
  });

  it('a failure in the handler keeps the first as its cause', async () => {
    const made = await one(failing, {
      steps,
      'on-exception': { handled: true, steps: [{ throw: 'worse' }] },
    });
    const exchange = await run(made);
    expect(exchange.failure).toMatchObject({ code: 'ENGINE.THROWN', message: 'worse' });
    expect(exchange.failure?.cause).toMatchObject({ code: 'MCP.CONNECTION_LOST' });
  });

  it('matches the code a throw step made up', async () => {
    const made = await one(
      {},
      {
        steps: [{ throw: { code: 'ORDER.REJECTED', value: 'no stock' } }],
        'on-exception': { match: 'ORDER.REJECTED', handled: true, steps: [{ 'set-body': 'sorry' }] },
      },
    );
    expect((await run(made)).body).toBe('sorry');
  });

  it('throws the same failure on where the handler throws without a message', async () => {
    const made = await one(failing, { steps, 'on-exception': { handled: true, steps: [{ throw: null }] } });
    expect((await run(made)).failure?.message).toBe('the line is dead');
  });

  it('sends a copy to the dead letter address once the retries are used up', async () => {
    const letters: Exchange[] = [];
    const made = await one(
      { processors: { ...failing.processors, letters: (letter) => void letters.push(letter) } },
      { steps, 'error-handler': { retries: 1, 'dead-letter': 'test://letters' } },
    );
    const exchange = await run(made);
    expect(exchange.failure?.code).toBe('MCP.CONNECTION_LOST');
    expect(letters).toHaveLength(1);
    expect(letters[0]?.pattern).toBe('InOnly');
    expect(letters[0]?.headers.get('HelixFailureCode')).toBe('MCP.CONNECTION_LOST');
    expect(letters[0]).not.toBe(exchange);
  });

  it('refuses what it does not know, with a suggestion', async () => {
    const { engine } = makeEngine();
    const workflow = {
      id: 'w',
      from: 'test://w',
      'error-handler': { retrys: 3 },
      'on-exception': { handeled: true },
    };
    const problems = engine.check(workspaceOf({ workflows: [workflow] }));
    expect(problems.map(({ suggestion }) => suggestion)).toEqual(['retries', 'handled']);
    await settled();
  });
});
