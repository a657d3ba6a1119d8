import { typeFault } from '../../errors/fault.js';
import type { Numeric } from '../../numbers/decimal.js';
import type { Regex } from '../../regex/regex.js';
import { checkCollectionSize, checkTextLength, steps } from '../../runtime/machine.js';
import { charactersOf, requireText } from '../../values/text.js';
import { passes, whole } from '../arguments.js';
import { nullable, type Callback } from '../define.js';
import type { Value } from '../../values/value.js';

/** The places where a separator stands; both ends of it. */
function bounds(text: string, separator: string | Regex, last: boolean): [number, number] | undefined {
  if (typeof separator === 'string') {
    const at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
    return at < 0 ? undefined : [at, at + separator.length];
  }
  let found: [number, number] | undefined;
  for (const match of separator.all(text)) {
    found = [match.start, match.end];
    if (!last) break;
  }
  return found;
}

function substring(text: string, from: Numeric, until: Numeric): string {
  return text.slice(Math.max(0, Number(from)), Math.max(0, Number(until)));
}

function every(text: string, amount: Numeric): Value[] {
  const size = whole(amount, 'The size of the parts');
  if (size < 1) throw typeFault(`The size of the parts must be at least 1, not ${size}`);
  checkCollectionSize(Math.ceil(text.length / size));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

/** Splits before or at the characters for which the condition holds; they are left out. */
function substringBy(text: string, predicate: Callback): Value[] {
  const out: string[] = [''];
  for (const [index, c] of charactersOf(text).entries()) {
    if (passes(predicate(c, index), 'substringBy')) out.push('');
    else out[out.length - 1] += c;
  }
  return out;
}

function levenshtein(a: string, b: string): number {
  checkCollectionSize(a.length * b.length);
  steps(a.length * b.length);
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

function countLiteral(text: string, wanted: string): number {
  if (wanted === '') return 0;
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

const replaceLiteral = (text: string, target: string, by: string): string => {
  const count = target === '' ? text.length + 1 : countLiteral(text, target);
  checkTextLength(text.length + count * (by.length - target.length));
  return text.replaceAll(target, () => by);
};

export const parts = [
  nullable(
    'substring',
    'The characters from one place up to but not another.',
    [['substring("hello", 1, 3)', '"el"']],
    { '(text: String, from: Number, until: Number): String': substring },
  ),
  nullable(
    'substringAfter',
    'What stands after the first separator.',
    [['"a-b-c" substringAfter "-"', '"b-c"']],
    {
      '(text: String, separator: String): String': (text: string, separator: string) =>
        text.slice(bounds(text, separator, false)?.[1] ?? text.length),
    },
  ),
  nullable(
    'substringAfterLast',
    'What stands after the last separator.',
    [['"a-b-c" substringAfterLast "-"', '"c"']],
    {
      '(text: String, separator: String): String': (text: string, separator: string) =>
        separator === '' ? '' : text.slice(bounds(text, separator, true)?.[1] ?? text.length),
    },
  ),
  nullable(
    'substringBefore',
    'What stands before the first separator.',
    [['"a-b-c" substringBefore "-"', '"a"']],
    {
      '(text: String, separator: String): String': (text: string, separator: string) =>
        text.slice(0, bounds(text, separator, false)?.[0] ?? 0),
    },
  ),
  nullable(
    'substringBeforeLast',
    'What stands before the last separator.',
    [['"a-b-c" substringBeforeLast "-"', '"a-b"']],
    {
      '(text: String, separator: String): String': (text: string, separator: string) =>
        separator === '' ? text.slice(0, -1) : text.slice(0, bounds(text, separator, true)?.[0] ?? 0),
    },
  ),
  nullable(
    'substringBy',
    'The parts between the characters for which the condition holds.',
    [['"a1b2" substringBy ($ == "1")', '["a", "b2"]']],
    {
      '(text: String, predicate: (character: String, index: Number) -> Boolean): Array<String>': substringBy,
    },
  ),
  nullable(
    'substringEvery',
    'The text in parts of a size.',
    [['"abcde" substringEvery 2', '["ab", "cd", "e"]']],
    { '(text: String, amount: Number): Array<String>': every },
  ),
  nullable('reverse', 'The characters the other way round.', [['reverse("abc")', '"cba"']], {
    '(text: String): String': (text: string) => charactersOf(text).toReversed().join(''),
  }),
  nullable('remove', 'The text without every occurrence of another.', [['"a-b-c" remove "-"', '"abc"']], {
    '(text: String, toRemove: String): String': (text: string, gone: string) =>
      gone === '' ? text : text.replaceAll(gone, ''),
  }),
  nullable(
    'replaceAll',
    'Every occurrence of a text replaced by another.',
    [['replaceAll("a-b", "-", "+")', '"a+b"']],
    { '(text: String, target: String, replacement: String): String': replaceLiteral },
  ),
  nullable('first', 'The first characters.', [['"hello" first 2', '"he"']], {
    '(text: String, amount: Number): String': (text: string, amount: Numeric) => substring(text, 0, amount),
  }),
  nullable('last', 'The last characters.', [['"hello" last 2', '"lo"']], {
    '(text: String, amount: Number): String': (text: string, amount: Numeric) =>
      Number(amount) <= 0 ? '' : text.slice(-Number(amount)),
  }),
  nullable('withMaxSize', 'Not more than so many first characters.', [['"hello" withMaxSize 2', '"he"']], {
    '(text: String, maxLength: Number): String': (text: string, most: Numeric) =>
      Number(most) <= 0 ? text : substring(text, 0, most),
  }),
  nullable('lines', 'The lines of a text.', [['lines("a\\nb")', '["a", "b"]']], {
    '(text: String): Array<String>': (text: string) => text.split(/\r\n|\n|\r/),
  }),
  nullable('collapse', 'Runs of equal characters.', [['collapse("aab")', '["aa", "b"]']], {
    '(text: String): Array<String>': (text: string) => text.match(/(.)\1*/gsu) ?? [],
  }),
  nullable(
    'countMatches',
    'How often a text or regular expression occurs.',
    [
      ['"hello" countMatches "l"', '2'],
      ['"hello" countMatches /[aeiou]/', '2'],
    ],
    {
      '(text: String, pattern: String): Number': countLiteral,
      '(text: String, pattern: Regex): Number': (text: string, regex: Regex) =>
        Array.from(regex.all(text)).length,
    },
    0,
  ),
  nullable(
    'countCharactersBy',
    'How many characters fulfil the condition.',
    [['"42 = 11" countCharactersBy isNumeric($)', '4']],
    {
      '(text: String, predicate: (character: String) -> Boolean): Number': (text: string, test: Callback) =>
        charactersOf(text).filter((c) => passes(test(c), 'countCharactersBy')).length,
    },
  ),
  nullable(
    'everyCharacter',
    'Do all characters fulfil the condition?',
    [['"12" everyCharacter isNumeric($)', 'true']],
    {
      '(text: String, condition: (character: String) -> Boolean): Boolean': (text: string, test: Callback) =>
        charactersOf(text).every((c) => passes(test(c), 'everyCharacter')),
    },
    true,
  ),
  nullable(
    'someCharacter',
    'Does any character fulfil the condition?',
    [['"a1" someCharacter isNumeric($)', 'true']],
    {
      '(text: String, condition: (character: String) -> Boolean): Boolean': (text: string, test: Callback) =>
        charactersOf(text).some((c) => passes(test(c), 'someCharacter')),
    },
    false,
  ),
  nullable(
    'mapString',
    'Every character replaced by what the function gives.',
    [['"abc" mapString ($ ++ "-")', '"a-b-c-"']],
    {
      '(text: String, mapper: (character: String, index: Number) -> String): String': (
        text: string,
        mapper: Callback,
      ) =>
        charactersOf(text)
          .map((c, i) => requireText(mapper(c, i)))
          .join(''),
    },
  ),
  nullable(
    'levenshteinDistance',
    'The fewest changes of a character that make one text the other.',
    [['"kitten" levenshteinDistance "sitting"', '3']],
    { '(a: String, b: String): Number': levenshtein },
  ),
  nullable(
    'hammingDistance',
    'How many characters differ in two texts of the same length; null otherwise.',
    [['"abc" hammingDistance "abd"', '1']],
    {
      '(a: String, b: String): Number | Null': (a: string, b: string) =>
        a.length === b.length ? Array.from(a).filter((c, i) => c !== b[i]).length : null,
    },
  ),
];
