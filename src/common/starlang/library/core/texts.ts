import { fn, type Callback } from '../define.js';
import { checkCollectionSize, checkTextLength, steps } from '../../runtime/machine.js';
import { equals } from '../../values/equality.js';
import { Fn } from '../../values/fn.js';
import { charactersOf, requireText, textOf } from '../../values/text.js';
import type { Regex } from '../../regex/regex.js';
import type { Match } from '../../regex/regex.js';
import type { Value } from '../../values/value.js';

const nothing = () => null;
const no = () => false;

const groupsOf = (match: Match): Value[] => match.groups.map((group) => group ?? null);

function positions(text: string, wanted: string): Value[] {
  const out: Value[] = [];
  if (wanted === '') return charactersOf(text).map((_, i) => i);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) out.push(at);
  steps(text.length >> 4);
  return out;
}

/** `$1` of a replacement text refers to a group. */
function expand(template: string, match: Match): string {
  return template.includes('$')
    ? template.replace(/\$(\d)/g, (_, digit: string) => match.groups[Number(digit)] ?? '')
    : template;
}

/** What `text replace x` is until `with` says by what. */
function replacement(text: string, find: () => Iterable<Match>): Value {
  return new Fn('replace', [{ name: 'replacer', optional: false }], (replacer) => {
    let out = '';
    let at = 0;
    let index = 0;
    for (const match of find()) {
      const made = replacer instanceof Fn ? replacer.invoke(groupsOf(match), index++) : replacer;
      const plain = textOf(made) ?? (made === null ? '' : undefined);
      const by = plain ?? requireText(made);
      out +=
        text.slice(at, match.start) +
        (replacer instanceof Fn && !replacer.invoke.constant ? by : expand(by, match));
      checkTextLength(out.length);
      at = match.end;
    }
    return out + text.slice(at);
  });
}

function* literalMatches(text: string, wanted: string): Generator<Match> {
  if (wanted === '') return;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
    yield { start: at, end: at + wanted.length, groups: [wanted], starts: [at] };
}

/** Java drops empty parts at the end, and an empty first part of a match without width. */
function withoutEmptyEnd(parts: string[]): string[] {
  let end = parts.length;
  while (end > 1 && parts[end - 1] === '') end--;
  return parts.slice(0, end);
}

function splitByRegex(text: string, regex: Regex): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const match of regex.all(text)) {
    if (match.end === match.start && (match.start === 0 || match.start === text.length)) continue;
    parts.push(text.slice(at, match.start));
    at = match.end;
    checkCollectionSize(parts.length);
  }
  parts.push(text.slice(at));
  return withoutEmptyEnd(parts);
}

export const texts = [
  fn('upper', 'The text in upper case.', [['upper("aB")', '"AB"']], {
    '(text: String): String': (text: string) => text.toUpperCase(),
    '(value: Null): Null': nothing,
  }),
  fn('lower', 'The text in lower case.', [['lower("aB")', '"ab"']], {
    '(text: String): String': (text: string) => text.toLowerCase(),
    '(value: Null): Null': nothing,
  }),
  fn('trim', 'The text without blanks at both ends.', [['trim(" a ")', '"a"']], {
    '(text: String): String': (text: string) => text.replace(/^[\0-\u0020]+|[\0-\u0020]+$/g, ''),
    '(value: Null): Null': nothing,
  }),
  fn(
    'contains',
    'Is the item in the array, or the text (or a match) in the text?',
    [
      ['[1, 2] contains 2', 'true'],
      ['"hello" contains "ell"', 'true'],
      ['"hello" contains /l+/', 'true'],
    ],
    {
      '(items: Array<T>, element: Any): Boolean': (items: Value[], element: Value) => (
        steps(items.length),
        items.some((item) => equals(item, element))
      ),
      '(text: String, toSearch: String): Boolean': (text: string, wanted: string) => text.includes(wanted),
      '(text: String, matcher: Regex): Boolean': (text: string, regex: Regex) =>
        regex.search(text) !== undefined,
      '(text: Null, matcher: Any): Boolean': no,
    },
  ),
  fn('startsWith', 'Does the text begin with the other?', [['"Mary" startsWith "Ma"', 'true']], {
    '(text: String, prefix: String): Boolean': (text: string, prefix: string) => text.startsWith(prefix),
    '(text: Null, prefix: Any): Boolean': no,
  }),
  fn('endsWith', 'Does the text end with the other?', [['"Mary" endsWith "ry"', 'true']], {
    '(text: String, suffix: String): Boolean': (text: string, suffix: string) => text.endsWith(suffix),
    '(text: Null, suffix: Any): Boolean': no,
  }),
  fn(
    'find',
    'The places of an item, a text or the matches of a regular expression.',
    [
      ['["a", "b", "a"] find "a"', '[0, 2]'],
      ['"aXbX" find "X"', '[1, 3]'],
      ['"a1b22" find /\\d+/', '[[1], [3]]'],
    ],
    {
      '(elements: Array<T>, elementToFind: Any): Array<Number>': (items: Value[], wanted: Value) => (
        steps(items.length),
        items.flatMap((item, i) => (equals(item, wanted) ? [i] : []))
      ),
      '(text: String, matcher: Regex): Array<Array<Number>>': (text: string, regex: Regex) =>
        Array.from(regex.all(text), ({ starts }) => starts as Value[]),
      '(text: String, textToFind: String): Array<Number>': positions,
      '(text: Null, textToFind: Any): Array<Nothing>': () => [],
    },
  ),
  fn(
    'indexOf',
    'The first place of an item or text, -1 without one.',
    [
      ['["a", "b"] indexOf "b"', '1'],
      ['"abc" indexOf "z"', '-1'],
    ],
    {
      '(array: Array, value: Any): Number': (items: Value[], wanted: Value) => (
        steps(items.length),
        items.findIndex((item) => equals(item, wanted))
      ),
      '(theString: String, search: String): Number': (text: string, wanted: string) => text.indexOf(wanted),
      '(array: Null, value: Any): Number': () => -1,
    },
  ),
  fn(
    'lastIndexOf',
    'The last place of an item or text, -1 without one.',
    [['["a", "b", "a"] lastIndexOf "a"', '2']],
    {
      '(array: Array, value: Any): Number': (items: Value[], wanted: Value) => (
        steps(items.length),
        items.findLastIndex((item) => equals(item, wanted))
      ),
      '(text: String, value: String): Number': (text: string, wanted: string) => text.lastIndexOf(wanted),
      '(array: Null, value: Any): Number': () => -1,
    },
  ),
  fn(
    'isBlank',
    'Is the text null, empty or only blanks?',
    [
      ['isBlank("  ")', 'true'],
      ['isBlank(null)', 'true'],
    ],
    {
      '(text: String | Null): Boolean': (text: string | null) =>
        text === null || /^[\s\0-\u0020]*$/.test(text),
    },
  ),
  fn(
    'match',
    'The whole text matched: the match and its groups, [] without one.',
    [['"a@b.c" match /(.)@(.*)/', '["a@b.c", "a", "b.c"]']],
    {
      '(text: String, matcher: Regex): Array<String>': (text: string, regex: Regex) => {
        const found = regex.whole(text);
        return found ? groupsOf(found) : [];
      },
      '(text: Null, matcher: Any): Null': nothing,
    },
  ),
  fn('matches', 'Does the whole text match?', [['"abc1" matches /[a-c]+\\d/', 'true']], {
    '(text: String, matcher: Regex): Boolean': (text: string, regex: Regex) =>
      regex.whole(text) !== undefined,
    '(text: Null, matcher: Any): Boolean': no,
  }),
  fn(
    'scan',
    'Every match with its groups.',
    [['"a1b2" scan /([a-z])(\\d)/', '[["a1", "a", "1"], ["b2", "b", "2"]]']],
    {
      '(text: String, matcher: Regex): Array<Array<String>>': (text: string, regex: Regex) =>
        Array.from(regex.all(text), groupsOf),
      '(text: Null, matcher: Any): Null': nothing,
    },
  ),
  fn(
    'replace',
    'With `with`: replaces every match by a text or by what a function gives.',
    [
      ['"123-456" replace "-" with "+"', '"123+456"'],
      ['"a1" replace /([a-z])(\\d)/ with $[2]', '"1"'],
    ],
    {
      '(text: String, matcher: Regex): ((Array<String>, Number) -> String) -> String': (
        text: string,
        regex: Regex,
      ) => replacement(text, () => regex.all(text)),
      '(text: String, matcher: String): ((Array<String>, Number) -> String) -> String': (
        text: string,
        wanted: string,
      ) => replacement(text, () => literalMatches(text, wanted)),
      '(text: Null, matcher: Any): ((Nothing, Nothing) -> Any) -> Null': () =>
        new Fn('replace', [{ name: 'replacer', optional: false }], nothing),
    },
  ),
  fn(
    'with',
    'Says by what `replace` (or update, mask) puts something else.',
    [['"a-b" replace /-/ with " "', '"a b"']],
    {
      '(toBeReplaced: Function, replacer: (V, U) -> R): X': (wanting: Fn, replacer: Callback) =>
        wanting.invoke(new Fn('replacer', [], replacer)),
    },
  ),
  fn(
    'splitBy',
    'The parts of the text between the separators.',
    [
      ['"a-b-c" splitBy "-"', '["a", "b", "c"]'],
      ['"a1b2c" splitBy /\\d/', '["a", "b", "c"]'],
    ],
    {
      '(text: String, regex: Regex): Array<String>': splitByRegex,
      '(text: String, separator: String): Array<String>': (text: string, separator: string) => {
        checkCollectionSize(text.length);
        return withoutEmptyEnd(text.split(separator));
      },
      '(text: Null, separator: Any): Null': nothing,
    },
  ),
];
