import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { HelixError } from '../errors/helix-error.js';
import { settled } from '../testing/manual-clock.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

const double = { 'set-body': { starlang: 'payload * 2' } };

const spoil = (exchange: Exchange): void => {
  (exchange.body as { n: number }).n++;
  (exchange.headers.get('h') as { n: number }).n++;
  (exchange.properties.get('p') as { n: number }).n++;
};

const failing = (extras: object): object => ({
  split: {
    starlang: 'payload',
    steps: [
      { target: 'test://see' },
      {
        filter: {
          starlang: 'payload >= 2',
          steps: [{ id: 'bad', throw: { starlang: '"no " + payload' } }],
        },
      },
    ],
    ...extras,
  },
});

const hang = (): Promise<void> => new Promise(() => undefined);

const streaming = (extras: object): object[] => [
  { target: 'test://open' },
  { split: { starlang: 'payload', steps: [{ target: 'test://see' }], ...extras } },
];

const runFailing = async (extras: object): Promise<readonly [Exchange, readonly unknown[]]> => {
  const seen: unknown[] = [];
  const see = (exchange: Exchange): void => void seen.push(exchange.body);
  const exchange = await runSteps([failing(extras), { 'set-body': 'after' }], { body: [1, 2, 3] }, { see });
  return [exchange, seen];
};

describe('split', () => {
  it('does its steps for each part, tells index and size, and gives the original message back', async () => {
    const seen: unknown[] = [];
    const see = (exchange: Exchange): void =>
      void seen.push([exchange.body, exchange.properties.get('split')]);
    const steps = [
      { split: { starlang: 'payload', steps: [{ target: 'test://see' }, double] } },
      { 'set-property': { name: 'after', starlang: '[vars.split]' } },
    ];
    const exchange = await runSteps(steps, { body: ['a', 'b'], headers: { X: 1 } }, { see });
    expect(seen).toEqual([
      ['a', { index: 0, size: 2 }],
      ['b', { index: 1, size: 2 }],
    ]);
    expect(exchange.body).toEqual(['a', 'b']);
    expect(exchange.properties.get('after')).toEqual([undefined]);
  });

  it.each([['[]'], ['null']])('%s is no turn at all', async (starlang) => {
    const steps = [{ split: { starlang, steps: [{ throw: 'never' }], aggregate: { starlang: 'payload' } } }];
    const exchange = await runSteps(steps, { body: 'x' });
    expect([exchange.failure, exchange.body]).toEqual([null, []]);
  });

  it('puts the results together in the order of the parts, whoever is done first', async () => {
    const waits: (() => void)[] = [];
    const wait = (): Promise<void> => new Promise((resolve) => void waits.unshift(resolve));
    const { engine } = await startEngine({
      processors: { wait },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          steps: [
            {
              split: {
                starlang: 'payload',
                parallel: true,
                aggregate: { starlang: 'payload.join()' },
                steps: [{ target: 'test://wait' }, double],
              },
            },
          ],
        },
      ],
    });
    const exchange = engine.exchange('w', { body: [1, 2, 3] });
    const running = engine.run('w', exchange);
    await settled();
    expect(waits).toHaveLength(3);
    for (const go of waits) {
      go();
      await settled();
    }
    await running;
    expect(exchange.body).toBe('2,4,6');
  });

  it('runs no more at once than it may', async () => {
    let now = 0;
    let most = 0;
    const busy = async (): Promise<void> => {
      most = Math.max(most, ++now);
      await settled();
      now--;
    };
    const steps = [{ split: { starlang: 'payload', parallel: 2, steps: [{ target: 'test://busy' }] } }];
    await runSteps(steps, { body: [1, 2, 3, 4, 5] }, { busy });
    expect(most).toBe(2);
  });

  it('lets no turn see what another one changed, in body, headers, variables or arguments', async () => {
    const result = '[payload.n, header("h").n, vars.p.n]';
    const steps = [
      { 'set-property': { name: 'p', value: { n: 0 } } },
      {
        split: {
          starlang: '[payload, payload]',
          aggregate: { starlang: 'payload' },
          steps: [{ target: 'test://spoil' }, { 'set-body': { starlang: result } }],
        },
      },
    ];
    const exchange = await runSteps(steps, { body: { n: 0 }, headers: { h: { n: 0 } } }, { spoil });
    expect(exchange.body).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect([exchange.headers.get('h'), exchange.properties.get('p')]).toEqual([{ n: 0 }, { n: 0 }]);
  });

  describe('where a turn fails', () => {
    it('does the others and fails with the first, at its place, the body as it was', async () => {
      const [exchange, seen] = await runFailing({ aggregate: { starlang: '"merged"' } });
      expect(exchange.failure?.message).toBe('no 2');
      expect(exchange.failedAt).toEqual({ workflowId: 'w', stepId: 'bad' });
      expect(exchange.body).toEqual([1, 2, 3]);
      expect(seen).toEqual([1, 2, 3]);
    });

    it('stops on the first error where it is told to', async () => {
      const [exchange, seen] = await runFailing({ 'stop-on-error': true });
      expect(exchange.failure?.message).toBe('no 2');
      expect(seen).toEqual([1, 2]);
    });

    it('ends the other turns at once, whatever they wait for', async () => {
      const split = {
        starlang: 'payload',
        parallel: true,
        'stop-on-error': true,
        steps: [
          {
            choice: {
              when: { starlang: 'payload == 1', steps: [{ target: 'test://hang' }] },
              otherwise: [{ throw: 'no' }],
            },
          },
        ],
      };
      const exchange = await runSteps([{ split }], { body: [1, 2] }, { hang });
      expect(exchange.failure?.message).toBe('no');
    });

    it('is not done twice by the retries of the workflow around it', async () => {
      let calls = 0;
      const flaky = (): void => {
        if (++calls === 2) throw new HelixError('ENGINE.INTERNAL', 'once');
      };
      const { engine, clock } = await startEngine({
        processors: { flaky },
        workflows: [
          {
            id: 'w',
            from: 'test://w',
            'error-handler': { retries: 1, delay: '1s' },
            steps: [{ split: { starlang: '[1, 2, 3]', steps: [{ target: 'test://flaky' }] } }],
          },
        ],
      });
      const exchange = engine.exchange('w', {});
      const running = engine.run('w', exchange);
      await clock.advance(1000);
      await running;
      expect([exchange.failure, calls]).toEqual([null, 4]);
    });
  });

  it('gives up what is not done when its time is over, and the time-out always lands', async () => {
    const { engine, clock } = await startEngine({
      processors: { hang: () => new Promise<void>(() => undefined) },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          steps: [
            {
              split: {
                starlang: '[1, 2]',
                parallel: true,
                timeout: '2s',
                steps: [{ target: 'test://hang' }],
              },
            },
          ],
        },
      ],
    });
    const exchange = engine.exchange('w', {});
    const running = engine.run('w', exchange);
    await clock.advance(2000);
    await running;
    expect(exchange.failure?.code).toBe('ENGINE.TIMED_OUT');
    expect(clock.pending).toBe(0);
  });

  it('begins no further turn once the caller has left', async () => {
    const caller = new AbortController();
    let turns = 0;
    const leave = (): void => {
      if (++turns === 2) caller.abort();
    };
    const steps = [{ split: { starlang: '[1, 2, 3]', steps: [{ target: 'test://leave' }] } }];
    const exchange = await runSteps(steps, { signal: caller.signal }, { leave });
    expect([exchange.failure?.code, turns]).toEqual(['ENGINE.CANCELLED', 2]);
  });

  it('streams: a part is dealt with before the next is read, and a source left early is closed', async () => {
    const events: string[] = [];
    async function* source(): AsyncGenerator<number> {
      try {
        for (let n = 1; n <= 3; n++) {
          events.push(`read ${n}`);
          yield n;
        }
      } finally {
        events.push('closed');
      }
    }
    const processors = {
      open: (exchange: Exchange): void => void (exchange.body = source()),
      see: (exchange: Exchange): void => {
        events.push(`done ${String(exchange.body)}`);
        if (exchange.body === 2) throw new Error('enough');
      },
    };
    await runSteps(streaming({ streaming: true, 'stop-on-error': true }), {}, processors);
    expect(events).toEqual(['read 1', 'done 1', 'read 2', 'done 2', 'closed']);
    events.length = 0;
    await runSteps(streaming({}), {}, processors);
    expect(events.slice(0, 4)).toEqual(['read 1', 'read 2', 'read 3', 'closed']);
  });

  it('takes a hundred thousand parts, however large the variables beside them', async () => {
    const body = Array.from({ length: 100_000 }, (_, n) => n);
    const steps = [
      { 'set-property': { name: 'all', starlang: 'payload' } },
      { split: { starlang: 'payload', aggregate: { starlang: 'payload.length' }, steps: [double] } },
    ];
    expect((await runSteps(steps, { body })).body).toBe(100_000);
  }, 30_000);

  it('a stop ends the turn only', async () => {
    const steps = [
      { split: { starlang: 'payload', aggregate: { starlang: 'payload' }, steps: [{ stop: null }, double] } },
      { 'set-header': { name: 'after', value: 1 } },
    ];
    const exchange = await runSteps(steps, { body: [1, 2] });
    expect([exchange.body, exchange.headers.get('after')]).toEqual([[1, 2], 1]);
  });

  it.each([['"text"'], ['({ a: 1 })'], ['5']])('%s is no list, and says so', async (starlang) => {
    expect((await runSteps([{ split: { starlang, steps: [] } }])).failure?.code).toBe(
      'EXPRESSION.EVALUATION_FAILED',
    );
  });

  it('is checked when the workspace is', () => {
    expect(problemsOf([{ split: { steps: [] } }])[0]).toMatchObject({ rule: 'missing-key' });
    expect(problemsOf([{ split: { starlang: '[]', steps: [], parallel: 0 } }])[0]).toMatchObject({
      rule: 'wrong-value',
    });
  });
});
