import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runRepl } from './starlang-repl.js';
import { StarlangSession } from './starlang-session.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

function talk(...lines: string[]): string[] {
  const session = new StarlangSession(recordedTerminal());
  return lines.map((line) => session.feed(line).text);
}
const last = (...lines: string[]) => talk(...lines).at(-1);

describe('a session', () => {
  it.each([
    [['1 + 2'], '3'],
    [['var x = 2', 'x * 3'], '6'],
    [['var x = 2', 'var x = 5', 'x'], '5'],
    [['fun twice(n) = n * 2', 'twice(4)'], '8'],
    [['import * from dw::core::Strings', 'capitalize("ab cd")'], '"Ab Cd"'],
    [['type Short = String', '"a" is Short'], 'true'],
    [['1 + 2', 'it + 1'], '4'],
    [[':payload {a: 1}', 'payload.a'], '1'],
    [['|2024-01-31|'], '|2024-01-31|'],
    [[':output json', '|2024-01-31|'], '"2024-01-31"'],
    [['var x = 1', ':reset', ':list'], ''],
    [['var x = 1', 'fun f() = x', ':list'], 'var x = 1\nfun f() = x'],
    [['if (it == null) "a" else "b"'], '"a"'],
  ])('%j ends in %s', (lines, expected) => {
    expect(last(...lines)).toBe(expected);
  });

  it.each([
    ['[1, 2] map (x) ->', 'x * 2'],
    ['{', 'a: 1', '}'],
    ['"one', 'two"'],
    ['fun f(x) =', 'x'],
    ['1 +', '2'],
  ])('reads on while the expression is open: %s', (...lines) => {
    const session = new StarlangSession(recordedTerminal());
    const replies = lines.map((line) => session.feed(line));
    expect(replies.slice(0, -1).map(({ isOpen }) => isOpen)).not.toContain(undefined);
    expect(replies.at(-1)?.isOpen).toBeUndefined();
    expect(replies.at(-1)?.text).not.toContain('error');
  });

  it('evaluates what is open at an empty line, and says what is missing', () => {
    expect(last('[1, 2', '')).toContain('error Expected');
    expect(last('[1, 2', '', '3')).toBe('3');
  });

  it('forgets what is open when it is cancelled', () => {
    const session = new StarlangSession(recordedTerminal());
    session.feed('[1,');
    expect(session.cancel()).toBe(true);
    expect(session.cancel()).toBe(false);
    expect(session.feed('7').text).toBe('7');
  });

  it('counts lines of an error from what was typed, with the caret below it', () => {
    expect(last('var price = 1', 'fun f() =\n1', '2 + prce')).toBe(
      'error The name "prce" is not known (line 1, column 5)\n1| 2 + prce\n       ^^^^\ndid you mean "price"?',
    );
  });

  it('says when the error is in an earlier declaration', () => {
    expect(last('fun f(x) = x + null', 'f(1)')).toContain(
      'in an earlier declaration:\n1| fun f(x) = x + null',
    );
  });

  it('keeps the earlier declaration when the new one is wrong', () => {
    expect(last('var x = 1', 'var x = nope', 'x')).toBe('1');
  });

  it.each([
    [':help', /:payload \[expression\]/],
    [':functions splitBy', /The parts of a text|splitBy\(/],
    [':functions xyzzy', /No function/],
    [':output jsno', /not known\n.*did you mean "json"/],
    [':nonsense', /There is no :nonsense/],
  ])('%s', (line, text) => {
    expect(last(line)).toMatch(text);
  });

  it('completes names of the library and its own', () => {
    const session = new StarlangSession(recordedTerminal());
    session.feed('var groups = 1');
    expect(session.complete('payload gro')).toEqual([['groupBy', 'groups'], 'gro']);
    expect(session.complete(':qu')).toEqual([[':quit'], ':qu']);
  });
});

async function talkTo(text: string): Promise<string> {
  const terminal = recordedTerminal();
  const input = new PassThrough();
  input.end(text);
  await runRepl(terminal, input);
  return terminal.written.out;
}

describe('the repl', () => {
  it('answers piped lines, the last open one too, until :quit', async () => {
    expect(await talkTo('1 + 1\n[1,\n2]\n')).toBe('2\n[\n  1,\n  2\n]\n');
    expect(await talkTo('3\n:quit\n4\n')).toBe('3\n');
    expect(await talkTo('(1')).toContain('error');
  });
});
