import { expect, it } from 'vitest';
import { preferredWaitMs } from './prefer-wait.js';

it.each([
  ['wait=0', 0],
  ['wait=30', 30_000],
  ['respond-async, wait=5', 5_000],
  ['Wait = "7"; strict', 7_000],
  ['wait=31', undefined],
  ['wait=-1', undefined],
  ['wait=1.5', undefined],
  ['await=5', undefined],
  ['', undefined],
  [undefined, undefined],
])('Prefer: %s asks for %s ms', (header, milliseconds) => {
  expect(preferredWaitMs(header)).toBe(milliseconds);
});
