import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { readQueryFailure } from './query-failures.js';

/** An error as pg throws it: what the server said, with its severity and SQLSTATE. */
const told = (severity: string, code: string) => Object.assign(new Error('told'), { severity, code });

describe('readQueryFailure', () => {
  it.each([
    ['a database that takes no connections', told('FATAL', '55000')],
    ['a database that is gone', told('FATAL', '3D000')],
    ['a password that was changed', told('FATAL', '28P01')],
    ['a session ended by the administrator', told('FATAL', '57P01')],
    ['a server that panics', told('PANIC', 'XX000')],
    ['a deadlock', told('ERROR', '40P01')],
    ['a pool whose connection broke', new Error('Connection terminated unexpectedly')],
  ])('%s means: try again later', (_, error) => {
    for (const thrown of [error, new QueryFailedError('SELECT 1', ['hidden'], error)]) {
      expect(readQueryFailure(thrown)?.code).toBe('PLATFORM.DATABASE_UNAVAILABLE');
    }
  });

  it.each([
    ['a statement that the prerequisites forbid', told('ERROR', '55000')],
    ['a mistake in our SQL', told('ERROR', '42601')],
    ['an error of another kind', new TypeError('x is not a function')],
  ])('%s is no outage', (_, error) => {
    expect(readQueryFailure(error)).toBeUndefined();
  });
});
