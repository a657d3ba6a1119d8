/** Character classes of the scanner, by UTF-16 code. */
export const isDigit = (c: number) => c >= 48 && c <= 57;

const START = 1;
const PART = 2;
/** Of ASCII, where nearly all characters are. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, c) => {
  const isLetter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95;
  return isLetter ? START | PART : isDigit(c) ? PART : 0;
});

const isLetterBeyond = (c: number) => /[\p{L}\uD800-\uDFFF]/u.test(String.fromCharCode(c));

export const isNameStart = (c: number): boolean =>
  c < 128 ? ((CLASSES[c] as number) & START) !== 0 : c > 127 && isLetterBeyond(c);

export const isNamePart = (c: number): boolean =>
  c < 128 ? (CLASSES[c] as number) !== 0 : c > 127 && isLetterBeyond(c);

export const isSpace = (c: number) =>
  c === 32 || (c >= 9 && c <= 13) || c === 160 || c === 0xfeff || c === 0x2028 || c === 0x2029;

/** Lengths and first letters of {@link RESERVED} and of the words that are infix or prefix operators. */
const SHAPES = new Uint32Array(16);

/** May the word be one with a meaning of its own? Told without a look at more than its first letter. */
export function mayBeSpecial(word: string): boolean {
  const first = word.charCodeAt(0) - 97;
  return (
    word.length < 16 && first >= 0 && first < 26 && ((SHAPES[word.length] as number) & (1 << first)) !== 0
  );
}

/** Words that cannot name a variable; all of them may be keys and selectors. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'and as async case default do else enum false for fun if import input is ns null or output private throw ' +
    'true type unless using var yield'
  ).split(' '),
);

for (const word of [...RESERVED, 'as', 'is', 'not', 'match', 'update', 'annotation'])
  SHAPES[word.length] = (SHAPES[word.length] as number) | (1 << (word.charCodeAt(0) - 97));
