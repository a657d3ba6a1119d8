import { describe, expect, it } from 'vitest';
import type { ToolPricing } from '../../../common/engine/model/tool-definition.js';
import { meter, type NativeRun } from './native-metering.js';

function cost(pricing: Partial<ToolPricing>, run: Partial<NativeRun> = {}) {
  const declared: ToolPricing = {
    model: 'per_call',
    micros: null,
    estimateMicros: null,
    note: null,
    ...pricing,
  };
  const { state, micros } = meter(declared, { kind: 'ok', result: 'r', reported: undefined, ...run });
  return [state, micros];
}

describe('metering a native run', () => {
  it('leaves what is free, or not measured by anybody, without a cost: that is not zero', () => {
    expect(cost({ model: 'free' })).toEqual(['not_metered', null]);
    expect(cost({ model: 'unknown' }, { reported: 5 })).toEqual(['not_metered', null]);
  });

  it('takes the fixed price for each call, each success, or each item of the result', () => {
    expect(cost({ micros: 7 }, { kind: 'failed' })).toEqual(['settled', 7]);
    expect(cost({ model: 'per_success', micros: 7 })).toEqual(['settled', 7]);
    expect(cost({ model: 'per_success', micros: 7 }, { kind: 'failed' })).toEqual(['settled', 0]);
    const perResult = (result: unknown) => cost({ model: 'per_result', micros: 7 }, { result });
    expect([[1, 2, 3], [], null, { a: 1 }].map(perResult)).toEqual(
      [21, 0, 0, 7].map((micros) => ['settled', micros]),
    );
  });

  it('takes what the route tells where there is no fixed price, as number or whole text', () => {
    expect(cost({}, { reported: 12 })).toEqual(['settled', 12]);
    expect(cost({}, { reported: '12', kind: 'failed' })).toEqual(['settled', 12]);
    expect(cost({ micros: 7 }, { reported: 12 })).toEqual(['settled', 7]);
  });

  it('hands on nonsense as what it is, for the money to refuse', () => {
    expect(cost({}, { reported: '-1' })).toEqual(['settled', -1]);
    for (const reported of ['1e3', '1.5', '', ' 1', true, {}])
      expect(cost({}, { reported })).toEqual(['settled', Number.NaN]);
  });

  it('has no amount for a success that told nothing, and does not know what a run cost that was lost', () => {
    expect(cost({})).toEqual(['settled', null]);
    expect(cost({ micros: 7 }, { kind: 'lost' })).toEqual(['pending', null]);
    expect(cost({}, { kind: 'failed' })).toEqual(['settled', 0]);
  });
});
