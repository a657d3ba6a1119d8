import { DIGIT, HORIZONTAL, SPACE, VERTICAL, WORD, type Ranges } from './char-set.js';

/** `\d` and the like; the capital letter is the rest. */
export const SETS: Readonly<Record<string, Ranges>> = Object.assign(Object.create(null), {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  h: HORIZONTAL,
  v: VERTICAL,
});

/** `\n` and the like, as code points. */
export const CONTROL: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  n: 10,
  t: 9,
  r: 13,
  f: 12,
  a: 7,
  e: 27,
  0: 0,
});

/** Java's names of Unicode categories. */
export const JAVA_PROPERTIES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  IsAlphabetic: 'L',
  IsLetter: 'L',
  IsDigit: 'Nd',
  IsUppercase: 'Lu',
  IsLowercase: 'Ll',
  IsPunctuation: 'P',
  IsWhite_Space: 'Z',
  javaLowerCase: 'Ll',
  javaUpperCase: 'Lu',
});
