/** Character classes of the scanner, by UTF-16 code. */
export const isDigit = (c: number) => c >= 48 && c <= 57;

export function isNameStart(c: number): boolean {
  return (
    (c >= 97 && c <= 122) ||
    (c >= 65 && c <= 90) ||
    c === 95 ||
    (c > 127 && /[\p{L}\uD800-\uDFFF]/u.test(String.fromCharCode(c)))
  );
}

export const isNamePart = (c: number) => isNameStart(c) || isDigit(c);

export const isSpace = (c: number) =>
  c === 32 || (c >= 9 && c <= 13) || c === 160 || c === 0xfeff || c === 0x2028 || c === 0x2029;

/** Words that cannot name a variable; all of them may be keys and selectors. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'and as async case default do else enum false for fun if import input is ns null or output private throw ' +
    'true type unless using var yield'
  ).split(' '),
);
