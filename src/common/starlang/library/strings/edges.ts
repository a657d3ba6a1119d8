import type { Numeric } from '../../numbers/decimal.js';
import { checkTextLength } from '../../runtime/machine.js';
import { whole } from '../arguments.js';
import { nullable } from '../define.js';

function pad(text: string, size: Numeric, by: string | undefined, left: boolean): string {
  const length = whole(size, 'The size of a padded text');
  checkTextLength(length);
  const fill = by ?? ' ';
  if (fill === '') return text;
  return left ? text.padStart(length, fill) : text.padEnd(length, fill);
}

function repeat(text: string, times: Numeric): string {
  const count = Math.max(0, whole(times, 'The number of repetitions'));
  checkTextLength(text.length * count);
  return text.repeat(count);
}

/** As the peer language has it: an empty wrapper takes one character off each end. */
function unwrap(text: string, wrapper: string): string {
  const size = Math.max(1, wrapper.length);
  const [before, after] = [text.startsWith(wrapper), text.endsWith(wrapper)];
  if (before && after) return text.length >= 2 * size ? text.slice(size, -size) : text;
  if (before) return text.slice(size) + wrapper;
  return after ? wrapper + text.slice(0, -size) : text;
}

/** What is put at the ends of a text, or taken off them. */
export const edges = [
  nullable(
    'leftPad',
    'Filled up on the left to a size.',
    [
      ['leftPad("7", 3, "0")', '"007"'],
      ['"7" leftPad 3', '"  7"'],
    ],
    {
      '(text: String, size: Number, padText: String = " "): String': (
        text: string,
        size: Numeric,
        by?: string,
      ) => pad(text, size, by, true),
    },
  ),
  nullable('rightPad', 'Filled up on the right to a size.', [['rightPad("7", 3, "0")', '"700"']], {
    '(text: String, size: Number, padChar: String = " "): String': (
      text: string,
      size: Numeric,
      by?: string,
    ) => pad(text, size, by, false),
  }),
  nullable('repeat', 'The text several times.', [['"ab" repeat 2', '"abab"']], {
    '(text: String, times: Number): String': repeat,
  }),
  nullable(
    'appendIfMissing',
    'With the ending, if it is not there yet.',
    [['"a" appendIfMissing ".xml"', '"a.xml"']],
    {
      '(text: String, suffix: String): String': (text: string, suffix: string) =>
        text.endsWith(suffix) ? text : text + suffix,
    },
  ),
  nullable(
    'prependIfMissing',
    'With the beginning, if it is not there yet.',
    [['"a" prependIfMissing "x-"', '"x-a"']],
    {
      '(text: String, prefix: String): String': (text: string, prefix: string) =>
        text.startsWith(prefix) ? text : prefix + text,
    },
  ),
  nullable('wrapWith', 'Between two times the other text.', [['"a" wrapWith "\'"', '"\'a\'"']], {
    '(text: String, wrapper: String): String': (text: string, by: string) => by + text + by,
  }),
  nullable(
    'wrapIfMissing',
    'Between two times the other text, where it is not there yet.',
    [['"\'a" wrapIfMissing "\'"', '"\'a\'"']],
    {
      '(text: String, wrapper: String): String': (text: string, by: string) =>
        text === '' ? by : (text.startsWith(by) ? '' : by) + text + (text.endsWith(by) ? '' : by),
    },
  ),
  nullable(
    'unwrap',
    'Without the other text at both ends; standing at one end only, it changes to the other.',
    [
      ['"\'a\'" unwrap "\'"', '"a"'],
      ['"#a" unwrap "#"', '"a#"'],
    ],
    { '(text: String, wrapper: String): String': unwrap },
  ),
];
