/** Sorted, disjoint inclusive ranges of code points. */
export type Ranges = readonly (readonly [number, number])[];

const LAST = 0x10ffff;

export function union(...sets: Ranges[]): Ranges {
  const all = sets.flat().sort((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [low, high] of all) {
    const last = out.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else out.push([low, high]);
  }
  return out;
}

export function complement(set: Ranges): Ranges {
  const out: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set) {
    if (low > from) out.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST) out.push([from, LAST]);
  return out;
}

export const intersection = (a: Ranges, b: Ranges): Ranges => complement(union(complement(a), complement(b)));

/** With the other case of every ASCII letter. */
export function bothCases(set: Ranges): Ranges {
  const extra: [number, number][] = [];
  for (const [low, high] of set) {
    const upper: [number, number] = [Math.max(low, 65) + 32, Math.min(high, 90) + 32];
    const lower: [number, number] = [Math.max(low, 97) - 32, Math.min(high, 122) - 32];
    if (upper[0] <= upper[1]) extra.push(upper);
    if (lower[0] <= lower[1]) extra.push(lower);
  }
  return union(set, extra);
}

const r = (text: string): Ranges => {
  const out: [number, number][] = [];
  for (let i = 0; i < text.length; i += 2) out.push([text.charCodeAt(i), text.charCodeAt(i + 1)]);
  return union(out);
};

export const DIGIT = r('09');
export const WORD = r('azAZ09__');
export const SPACE: Ranges = [
  [9, 13],
  [32, 32],
];
export const BLANK: Ranges = [
  [9, 9],
  [32, 32],
];
export const HORIZONTAL: Ranges = union(BLANK, [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]);
export const VERTICAL: Ranges = [
  [10, 13],
  [0x85, 0x85],
  [0x2028, 0x2029],
];

const PUNCT = r('!/:@[`{~');

/** The POSIX classes of Java's `\p{…}`. */
export const POSIX: Readonly<Record<string, Ranges>> = Object.assign(Object.create(null), {
  Lower: r('az'),
  Upper: r('AZ'),
  ASCII: [[0, 127]],
  Alpha: r('azAZ'),
  Digit: DIGIT,
  Alnum: r('azAZ09'),
  Punct: PUNCT,
  Graph: [[33, 126]],
  Print: [[32, 126]],
  Blank: BLANK,
  Cntrl: [
    [0, 31],
    [127, 127],
  ],
  XDigit: r('09afAF'),
  Space: SPACE,
});
