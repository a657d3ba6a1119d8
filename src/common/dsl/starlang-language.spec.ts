import { describe, expect, it } from 'vitest';
import { HelixError } from '../engine/errors/helix-error.js';
import { Exchange } from '../engine/model/exchange.js';
import { StarlangLanguage } from './starlang-language.js';

const language = new StarlangLanguage();

function exchange(): Exchange {
  const made = new Exchange({
    id: 'x',
    body: { n: 1, list: [1, 2] },
    headers: { 'X-One': 'one' },
    session: { id: 's', state: { turn: 3 } },
  });
  made.properties.set('kept', 'k');
  made.args = { amount: 5 };
  return made;
}

describe('Starlang in a workflow', () => {
  it.each([
    ['payload.n + 1', 2],
    ['header("x-ONE")', 'one'],
    ['header("absent")', null],
    ['headers."X-One"', 'one'],
    ['property("kept")', 'k'],
    ['property("helix.session.state").turn', 3],
    ['vars.kept', 'k'],
    ['args["amount"] > 0', true],
    ['session.turn', 3],
    ['attributes.headers."X-One"', 'one'],
    ['error', null],
    ['payload.list map $ * 2', [2, 4]],
    [
      '%sl 2.0\noutput application/json\ninput payload\n---\n{ "results": [], "total": 0 }',
      { results: [], total: 0 },
    ],
  ])('%j gives %j', (source, expected) => {
    expect(language.compile(source).evaluate(exchange())).toEqual(expected);
  });

  it('reads the request where the HTTP edge left it', () => {
    const made = exchange();
    made.properties.set('attributes', { method: 'GET', queryParams: { q: 'x' }, uriParams: {}, headers: {} });
    expect(language.compile('attributes.method ++ attributes.queryParams.q').evaluate(made)).toBe('GETx');
  });

  it('reads the failure that an error handler deals with', () => {
    const made = exchange();
    made.workflowId = 'w';
    made.handle(new HelixError('ENGINE.THROWN', 'no stock', { details: { code: 'ORDER.REJECTED' } }));
    const script = language.compile('[error.code, error.message, error.workflow]');
    expect(script.evaluate(made)).toEqual(['ORDER.REJECTED', 'no stock', 'w']);
  });

  it('gives text for a format that is not JSON, and says which', () => {
    const script = language.compile('output text/plain --- payload.list joinBy "-"');
    expect(script.mimeType).toBe('text/plain');
    expect(script.evaluate(exchange())).toBe('1-2');
  });

  it('tells every problem of a script that does not compile, with its place', () => {
    const [whole, line] = [expect.any(Number) as number, 2];
    expect(() => language.compile('payload\n  ++ upperr("a")')).toThrow(
      expect.objectContaining({
        code: 'EXPRESSION.INVALID_SCRIPT',
        details: { problems: [expect.objectContaining({ line, column: whole })] },
      }),
    );
  });

  it('fails as an evaluation, or as a budget that is used up', () => {
    const failing = language.compile('payload.n + {}');
    expect(() => failing.evaluate(exchange())).toThrow(
      expect.objectContaining({ code: 'EXPRESSION.EVALUATION_FAILED' }),
    );
    const endless = language.compile('fun f(n) = f(n + 1) --- f(0)');
    expect(() => endless.evaluate(exchange())).toThrow(
      expect.objectContaining({ code: 'EXPRESSION.BUDGET_EXCEEDED' }),
    );
  });

  it('gives a script two seconds of the server', () => {
    const slow = language.compile(
      'do { var l = (1 to 100000) map $ --- l map ((i) -> l reduce (($ + $$) mod 7)) }',
    );
    expect(() => slow.evaluate(exchange())).toThrow(/longer than 2000 ms/);
  });
});
