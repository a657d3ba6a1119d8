import { nullable, fn } from '../define.js';
import { numberText, type Numeric } from '../../numbers/decimal.js';

const IRREGULAR: readonly (readonly [string, string])[] = [
  ['person', 'people'],
  ['man', 'men'],
  ['child', 'children'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['goose', 'geese'],
  ['mouse', 'mice'],
  ['ox', 'oxen'],
  ['datum', 'data'],
  ['medium', 'media'],
  ['criterion', 'criteria'],
  ['move', 'moves'],
  ['sex', 'sexes'],
  ['quiz', 'quizzes'],
  ['leaf', 'leaves'],
  ['knife', 'knives'],
  ['life', 'lives'],
  ['wife', 'wives'],
  ['half', 'halves'],
  ['wolf', 'wolves'],
];
const UNCHANGED = new Set([
  'equipment',
  'information',
  'rice',
  'money',
  'species',
  'series',
  'fish',
  'sheep',
  'news',
]);

/** The other form of a word, its first letter kept as it was written. */
function irregular(word: string, from: 0 | 1): string | undefined {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower)) return word;
  for (const forms of IRREGULAR) {
    if (lower !== forms[from]) continue;
    const other = forms[1 - from] as string;
    return word[0] === lower[0] ? other : (other[0] as string).toUpperCase() + other.slice(1);
  }
  return undefined;
}

function pluralize(word: string): string {
  const found = irregular(word, 0);
  if (found !== undefined || word === '') return found ?? word;
  if (/[^su]s$/i.test(word) && !/is$/i.test(word) && pluralOf(singularize(word)) === word) return word;
  return pluralOf(word);
}

function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/i.test(word)) return `${word}es`;
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  if (/[^aeiou]o$/i.test(word) && !/(?:photo|piano|halo|auto|memo|logo)$/i.test(word)) return `${word}es`;
  return `${word}s`;
}

function singularize(word: string): string {
  const found = irregular(word, 1);
  if (found !== undefined) return found;
  if (/ies$/i.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/i.test(word)) return word;
  if (/(?:[sxz]|ch|sh|[^aeiou]o)es$/i.test(word)) return word.slice(0, -2);
  return /s$/i.test(word) ? word.slice(0, -1) : word;
}

/** Words of an identifier or a sentence. */
const parts = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((part) => part !== '');

function camelize(text: string): string {
  const joined = text
    .toLowerCase()
    .replace(/[\s_-]+(.)?/g, (_, c: string | undefined) => (c ?? '').toUpperCase());
  return /[\s_-]/.test(text)
    ? joined.charAt(0).toLowerCase() + joined.slice(1)
    : text.charAt(0).toLowerCase() + text.slice(1);
}

/** A word starts after anything that is no letter or digit, and where upper case follows lower. */
function capitalize(text: string): string {
  const spaced = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  return spaced
    .toLowerCase()
    .replace(/(^|[^\p{L}\p{N}'])(\p{L})/gu, (_, before: string, c: string) => before + c.toUpperCase());
}

function ordinalize(number: Numeric): string {
  const text = numberText(number);
  const tens = Math.abs(Number(number)) % 100;
  const last = tens % 10;
  const suffix =
    tens >= 11 && tens <= 13 ? 'th' : last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th';
  return text + suffix;
}

export const words = [
  nullable(
    'camelize',
    'The text as a name in camelCase.',
    [['camelize("customer_first_name")', '"customerFirstName"']],
    { '(text: String): String': camelize },
  ),
  nullable(
    'capitalize',
    'Every word with an upper-case first letter.',
    [
      ['capitalize("customer_name")', '"Customer Name"'],
      ['capitalize("CUSTOMER NAME")', '"Customer Name"'],
    ],
    { '(text: String): String': capitalize },
  ),
  nullable(
    'dasherize',
    'The text as words in lower case joined by dashes.',
    [['dasherize("customerFirst_name")', '"customer-first-name"']],
    { '(text: String): String': (text: string) => parts(text).join('-').toLowerCase() },
  ),
  nullable(
    'underscore',
    'The text as words in lower case joined by underscores.',
    [['underscore("customerFirst-name")', '"customer_first_name"']],
    { '(text: String): String': (text: string) => parts(text).join('_').toLowerCase() },
  ),
  nullable(
    'pluralize',
    'The plural of an English word.',
    [
      ['pluralize("box")', '"boxes"'],
      ['pluralize("Foot")', '"Feet"'],
    ],
    { '(text: String): String': pluralize },
  ),
  nullable(
    'singularize',
    'The singular of an English word.',
    [
      ['singularize("boxes")', '"box"'],
      ['singularize("cities")', '"city"'],
    ],
    { '(text: String): String': singularize },
  ),
  nullable(
    'ordinalize',
    'The number as an English ordinal.',
    [
      ['ordinalize(1)', '"1st"'],
      ['ordinalize(103)', '"103rd"'],
    ],
    { '(num: Number): String': ordinalize },
  ),
  fn('words', 'The words of a text.', [['words("hello world")', '["hello", "world"]']], {
    '(text: String): Array<String>': (text: string) => text.split(/\s+/).filter((word) => word !== ''),
    '(text: Null): Null': () => null,
  }),
];
