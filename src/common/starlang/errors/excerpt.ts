export interface Place {
  line: number;
  column: number;
}

/** Line and column of an offset: computed only when a problem is reported. */
export function placeOf(source: string, offset: number): Place {
  let line = 1;
  let start = 0;
  const end = Math.min(offset, source.length);
  for (let at = source.indexOf('\n'); at >= 0 && at < end; at = source.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: end - start + 1 };
}

const WIDEST = 160;

/**
 * The line of `offset` with its number, and a caret line that underlines `length` characters. Carets stand
 * below what they mean on a terminal: a tab counts as one blank, wide characters and emoji as two.
 */
export function excerptOf(source: string, offset: number, length = 1): string {
  const { line, column } = placeOf(source, offset);
  const start = Math.min(offset, source.length) - (column - 1);
  const stop = source.indexOf('\n', start);
  const whole = source.slice(start, stop < 0 ? source.length : stop).replace(/\r$/, '');
  const at = column - 1;
  const from = at >= WIDEST ? wholeCharacter(whole, at - WIDEST / 2) : 0;
  const to = wholeCharacter(whole, from + WIDEST);
  const text = printable(whole.slice(from, to));
  const gutter = `${line}| `;
  const before = ' '.repeat(gutter.length + widthOf(printable(whole.slice(from, at))));
  const meant = printable(whole.slice(at, Math.min(at + length, to)));
  return `${gutter}${text}\n${before}${'^'.repeat(Math.max(1, widthOf(meant)))}`;
}

/** The place, or the one before it where that would cut a pair of surrogates. */
const wholeCharacter = (text: string, at: number) =>
  /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at;

/** One blank for a tab and for what would move the cursor of a terminal. */
const printable = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');

/** Made when it is needed: it takes a while to load. */
let graphemes: Intl.Segmenter | undefined;
const WIDE =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

/** Columns of a terminal. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
