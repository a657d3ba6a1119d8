import { describe, expect, it } from 'vitest';
import type { Exchange } from '../engine/model/exchange.js';
import { startEngine } from '../engine/testing/test-engine.js';
import { StarlangLanguage } from './starlang-language.js';

/** The steps with the real language, as the guide shows them. */
async function run(steps: readonly unknown[], body: unknown): Promise<Exchange> {
  const { engine } = await startEngine({
    language: new StarlangLanguage(),
    processors: {
      price: (exchange) => void (exchange.body = { price: Number(exchange.body) * 10 }),
      refuse: () => {
        throw new Error('no stock');
      },
    },
    workflows: [{ id: 'w', from: 'test://w', steps }],
  });
  const exchange = engine.exchange('w', { body });
  await engine.run('w', exchange);
  return exchange;
}

describe('Starlang in the steps', () => {
  it.each([
    [
      'split',
      {
        split: {
          starlang: 'payload.orders',
          steps: [{ target: 'test://price' }],
          aggregate: { starlang: '{ total: sum(payload.price) }' },
        },
      },
      { orders: [1, 2] },
      { total: 30 },
    ],
    [
      'split over its index',
      {
        split: {
          starlang: 'payload',
          steps: [{ 'set-body': { starlang: 'payload ++ vars.split.index ++ "/" ++ vars.split.size' } }],
          aggregate: { starlang: 'payload joinBy ","' },
        },
      },
      ['a', 'b'],
      'a0/2,b1/2',
    ],
    [
      'enrich',
      {
        enrich: {
          uri: 'test://price',
          request: { starlang: 'payload.n' },
          aggregate: { starlang: 'payload ++ vars.reply' },
        },
      },
      { n: 2 },
      { n: 2, price: 20 },
    ],
    ['loop', { loop: { while: 'payload < 5', steps: [{ 'set-body': { starlang: 'payload + 1' } }] } }, 0, 5],
    [
      'recipient-list',
      {
        'recipient-list': {
          starlang: '["price"] map ("test://" ++ $)',
          aggregate: { starlang: 'payload[0].price' },
        },
      },
      4,
      40,
    ],
    [
      'try',
      {
        try: {
          do: [{ target: 'test://refuse' }],
          catch: [{ 'set-body': { starlang: '{ why: error.message, of: payload }' } }],
        },
      },
      1,
      { why: 'no stock', of: 1 },
    ],
    ['validate', { validate: 'payload.total > 0' }, { total: 1 }, { total: 1 }],
  ])('%s', async (_step, step, body, expected) => {
    const exchange = await run([step], body);
    expect(exchange.failure).toBeNull();
    expect(exchange.body).toEqual(expected);
  });

  it('a split of many parts beside a large variable copies nothing that is not asked for', async () => {
    const body = Array.from({ length: 20_000 }, (_, n) => n);
    const steps = [
      { 'set-property': { name: 'all', starlang: 'payload' } },
      {
        split: {
          starlang: 'payload',
          steps: [{ 'set-body': { starlang: 'payload + 1' } }],
          aggregate: { starlang: 'sizeOf(payload)' },
        },
      },
    ];
    expect((await run(steps, body)).body).toBe(20_000);
  }, 30_000);
});
