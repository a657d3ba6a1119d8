import { step } from '../../runtime/machine.js';
import { ObjectBuilder } from '../../values/objects.js';
import type { Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { faultAt } from '../format-text.js';

const MOST_COLUMNS = 10_000;

/**
 * Reads rows of cells into an array of objects. All cells are texts; without header the keys are
 * `column_0`, `column_1` …; cells a row lacks are left out, cells beyond the header are `column_n`.
 */
export function readCsv(text: string, options: FormatOptions): Value {
  const { header, headerLineNumber, bodyStartLineNumber, ignoreEmptyLine } = options;
  const reader = new CsvReader(text, options);
  let names: string[] | undefined;
  if (header !== false) {
    reader.skipTo(Number(headerLineNumber));
    if (ignoreEmptyLine !== false) while (!reader.done && reader.emptyLine()) reader.skipLine();
    if (reader.done) return [];
    names = reader.row();
  }
  reader.skipTo(Number(bodyStartLineNumber));
  const rows: Value[] = [];
  while (!reader.done) {
    step();
    if (ignoreEmptyLine !== false && reader.emptyLine()) {
      reader.skipLine();
      continue;
    }
    const builder = new ObjectBuilder();
    for (const [i, cell] of reader.row().entries()) builder.add(names?.[i] ?? `column_${i}`, cell);
    rows.push(builder.done());
  }
  return rows;
}

class CsvReader {
  private at = 0;
  private line = 0;
  private readonly separator: string;
  private readonly quote: string;
  private readonly escape: string;
  private readonly special: RegExp;

  constructor(
    private readonly text: string,
    { separator, quote, escape }: FormatOptions,
  ) {
    this.separator = String(separator);
    this.quote = String(quote ?? '');
    this.escape = String(escape ?? '');
    const stops = [this.separator, this.escape, '\n', '\r'].filter((one) => one !== '');
    this.special = new RegExp(
      stops.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
      'g',
    );
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  emptyLine(): boolean {
    const c = this.text[this.at];
    return c === '\n' || c === '\r';
  }

  /** Lines count from 0; what was read already is not read again. */
  skipTo(line: number): void {
    while (this.line < line && !this.done) this.skipLine();
  }

  skipLine(): void {
    const found = /\r\n|\r|\n/g;
    found.lastIndex = this.at;
    this.at = found.test(this.text) ? found.lastIndex : this.text.length;
    this.line++;
  }

  private lineEnd(): boolean {
    const c = this.text[this.at];
    if (c !== '\n' && c !== '\r') return false;
    this.at += c === '\r' && this.text[this.at + 1] === '\n' ? 2 : 1;
    this.line++;
    return true;
  }

  row(): string[] {
    const cells: string[] = [];
    for (;;) {
      cells.push(this.cell());
      if (cells.length > MOST_COLUMNS)
        throw faultAt('CSV', this.text, this.at, `more than ${MOST_COLUMNS} columns`);
      if (this.text.startsWith(this.separator, this.at) && !this.done) this.at += this.separator.length;
      else if (this.done || this.lineEnd()) return cells;
      else
        throw faultAt(
          'CSV',
          this.text,
          this.at,
          `${JSON.stringify(this.text[this.at])} after the closing quote of a cell`,
          `write ${this.escape || this.quote}${this.quote} for a quote inside of quotes`,
        );
    }
  }

  private cell(): string {
    return this.quote !== '' && this.text.startsWith(this.quote, this.at) ? this.quoted() : this.bare();
  }

  private bare(): string {
    let out = '';
    let from = this.at;
    for (;;) {
      this.special.lastIndex = this.at;
      const found = this.special.exec(this.text);
      this.at = found?.index ?? this.text.length;
      if (!found || found[0] !== this.escape || this.escape === this.separator) break;
      const escaped = this.escaped();
      if (escaped === undefined) this.at += this.escape.length;
      else {
        out += this.text.slice(from, this.at) + escaped;
        from = this.at += this.escape.length + escaped.length;
      }
    }
    return out + this.text.slice(from, this.at);
  }

  /** What an escape here stands for; undefined when it is a character like any other. */
  private escaped(): string | undefined {
    const next = this.at + this.escape.length;
    for (const one of [this.quote, this.separator, this.escape])
      if (one !== '' && this.text.startsWith(one, next)) return one;
    return undefined;
  }

  private quoted(): string {
    const { text, quote, escape } = this;
    const start = this.at;
    this.at += quote.length;
    let out = '';
    let from = this.at;
    for (;;) {
      const end = text.indexOf(quote, this.at);
      const slash = escape === '' || escape === quote ? -1 : text.indexOf(escape, this.at);
      if (end < 0) throw faultAt('CSV', text, start, 'a quoted cell has no end');
      if (slash >= 0 && slash < end) {
        this.at = slash;
        const escaped = this.escaped();
        if (escaped === undefined) this.at += escape.length;
        else {
          out += text.slice(from, slash) + escaped;
          from = this.at += escape.length + escaped.length;
        }
        continue;
      }
      this.at = end + quote.length;
      out += text.slice(from, end);
      // A doubled quote is a quote in any dialect.
      if (!text.startsWith(quote, this.at)) break;
      out += quote;
      from = this.at += quote.length;
    }
    for (const c of text.slice(start, this.at).match(/\r\n|\r|\n/g) ?? []) if (c) this.line++;
    return out;
  }
}
