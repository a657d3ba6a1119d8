import { describe, expect, it } from 'vitest';
import { Interceptor, type StepInfo } from '../api/interceptor.js';
import type { Processor } from '../api/processor.js';
import { Exchange } from '../model/exchange.js';
import { buildPipeline, type PipelineStep } from './build-pipeline.js';

const step = (process: Processor, stepId = 'step'): PipelineStep => ({
  info: { workflowId: 'w', stepId, keyword: 'test' },
  process,
});
const exchange = (): Exchange => new Exchange({ id: 'x', body: 0 });
const addOne: Processor = (each) => {
  each.body = Number(each.body) + 1;
};

/** Keeps the event loop out for a millisecond. */
const busy: Processor = () => {
  const end = performance.now() + 1;
  while (performance.now() < end);
};

class Note extends Interceptor {
  constructor(
    readonly name: string,
    override readonly scope: 'step' | 'attempt',
    private readonly notes: string[],
  ) {
    super();
  }
  intercept(
    _exchange: Exchange,
    { stepId }: StepInfo,
    next: () => void | Promise<void>,
  ): void | Promise<void> {
    this.notes.push(`${this.name} ${stepId}`);
    return next();
  }
}

describe('a pipeline', () => {
  it('runs synchronous steps without a promise', () => {
    const each = exchange();
    expect(buildPipeline([step(addOne), step(addOne)], [], null)(each)).toBeUndefined();
    expect(each.body).toBe(2);
  });

  it('runs 100,000 synchronous steps on a flat stack', async () => {
    const one = step(addOne);
    const each = exchange();
    await buildPipeline(Array<PipelineStep>(100_000).fill(one), [], null)(each);
    expect(each.body).toBe(100_000);
  });

  it('runs 100,000 steps that alternate between synchronous and asynchronous', async () => {
    const both = [step(addOne), step(async (each) => addOne(each))];
    const each = exchange();
    await buildPipeline(
      Array.from({ length: 100_000 }, (_, at) => both[at % 2] ?? step(addOne)),
      [],
      null,
    )(each);
    expect(each.body).toBe(100_000);
  });

  it('lets the event loop in while synchronous steps keep it busy', async () => {
    let turns = 0;
    const turn = setInterval(() => turns++, 1);
    await buildPipeline(Array<PipelineStep>(60).fill(step(busy)), [], null)(exchange());
    clearInterval(turn);
    expect(turns).toBeGreaterThan(3);
  });

  it.each([
    [
      'thrown',
      (): never => {
        throw new Error('broken');
      },
    ],
    [
      'rejected',
      async (): Promise<never> => {
        throw new Error('broken');
      },
    ],
  ])('puts a %s failure on the exchange and skips the rest', async (_how, broken) => {
    const each = exchange();
    await buildPipeline([step(addOne), step(broken, 'bad'), step(addOne)], [], null)(each);
    expect(each.body).toBe(1);
    expect(each.failure).toMatchObject({ code: 'ENGINE.INTERNAL', message: 'broken' });
    expect(each.failedAt).toEqual({ workflowId: null, stepId: 'bad' });
  });

  it('ends without a failure where a step stops it', async () => {
    const each = exchange();
    await buildPipeline(
      [
        step((it_) => {
          it_.stopped = true;
        }),
        step(addOne),
      ],
      [],
      null,
    )(each);
    expect(each.isFailed()).toBe(false);
    expect(each.body).toBe(0);
  });

  it('looks at the signal between steps', async () => {
    const caller = new AbortController();
    const each = new Exchange({ id: 'x', body: 0, signal: caller.signal });
    await buildPipeline([step(addOne), step(() => caller.abort()), step(addOne)], [], null)(each);
    expect(each.failure?.code).toBe('ENGINE.CANCELLED');
    expect(each.body).toBe(1);
  });

  it('tells an AbortError after an abort as the abort', async () => {
    const caller = new AbortController();
    const each = new Exchange({ id: 'x', signal: caller.signal });
    const fetching: Processor = async () => {
      caller.abort();
      throw new DOMException('This operation was aborted', 'AbortError');
    };
    await buildPipeline([step(fetching)], [], null)(each);
    expect(each.failure?.code).toBe('ENGINE.CANCELLED');
  });

  it('puts advice per step outside the error handler and advice per attempt inside', async () => {
    const notes: string[] = [];
    let tries = 0;
    const twice = {
      wrap:
        (_info: StepInfo, target: Processor): Processor =>
        async (each) => {
          try {
            await target(each);
          } catch {
            await target(each);
          }
        },
    };
    const flaky: Processor = () => {
      notes.push('run');
      if (++tries === 1) throw new Error('once');
    };
    const chain = [new Note('trace', 'step', notes), new Note('metrics', 'attempt', notes)];
    await buildPipeline([step(flaky, 's')], chain, twice)(exchange());
    expect(notes).toEqual(['trace s', 'metrics s', 'run', 'metrics s', 'run']);
  });
});
