import { describe, expect, it } from 'vitest';
import { Interceptor, type StepInfo } from '../api/interceptor.js';
import { Exchange } from '../model/exchange.js';
import { compose } from './compose.js';

const info = { workflowId: 'w', stepId: 's', keyword: 'test' };
const exchange = (): Exchange => new Exchange({ id: 'x' });

function interceptor(
  name: string,
  advice: (next: () => void | Promise<void>) => void | Promise<void>,
): Interceptor {
  return new (class extends Interceptor {
    readonly name = name;
    intercept(_exchange: Exchange, _step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
      return advice(next);
    }
  })();
}

const slow = async (): Promise<void> => {
  await Promise.resolve();
};
const failing = async (): Promise<void> => {
  throw new Error('failed');
};

describe('a chain of interceptors', () => {
  it('has the first listed outermost', () => {
    const order: string[] = [];
    const note = (name: string): Interceptor =>
      interceptor(name, (next) => {
        order.push(`${name} in`);
        const pending = next();
        order.push(`${name} out`);
        return pending;
      });
    void compose(info, () => void order.push('step'), [note('a'), note('b')])(exchange());
    expect(order).toEqual(['a in', 'b in', 'step', 'b out', 'a out']);
  });

  it('finds next called twice, naming the interceptor', () => {
    const twice = interceptor('greedy', (next) => {
      void next();
      return next();
    });
    expect(() => compose(info, () => undefined, [twice], true)(exchange())).toThrow(/greedy.*next twice/);
  });

  it('finds an interceptor that does not wait for its step', () => {
    const hasty = interceptor('hasty', (next) => {
      void next();
    });
    expect(() => compose(info, slow, [hasty], true)(exchange())).toThrow(/hasty.*forgotten await/);
  });

  it('lets a refusal and a failure through unchanged', async () => {
    const refusing = interceptor('refusing', () => {
      throw new Error('refused');
    });
    expect(() => compose(info, () => undefined, [refusing], true)(exchange())).toThrow('refused');
    const plain = interceptor('plain', (next) => next());
    await expect(compose(info, failing, [plain], true)(exchange())).rejects.toThrow('failed');
  });
});
