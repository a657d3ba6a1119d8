import { formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { kindOf } from '../../values/kind.js';
import {
  bare,
  isObject,
  keysOf,
  nameOf,
  sizeOfObject,
  valuesOf,
  type ObjectValue,
} from '../../values/objects.js';
import { Range } from '../../values/range.js';
import { preview } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { encoded, scalarText } from '../format-text.js';

/**
 * Writes an array of objects (or of arrays) as rows. The header has every key in the order it is first
 * met, the n-th of duplicate keys its own column; without header the cells of a row stand in their order.
 */
export function writeCsv(value: Value, options: FormatOptions): string | Uint8Array {
  return encoded(new CsvWriter(options).document(value), options);
}

class CsvWriter {
  private readonly separator: string;
  private readonly quote: string;
  private readonly escape: string;
  private readonly newLine: string;
  private readonly columns = new Map<string, number>();
  private length = 0;

  constructor(private readonly options: FormatOptions) {
    this.separator = String(options.separator);
    this.quote = String(options.quote ?? '');
    this.escape = String(options.escape ?? '');
    this.newLine = String(options.lineSeparator ?? '\n');
  }

  document(given: Value): string {
    const rows = this.rowsOf(given);
    const withHeader = this.options.header !== false && rows.some((row) => isObject(row));
    if (withHeader) for (const row of rows) if (isObject(row)) this.meet(row);
    const lines: string[] = [];
    const put = (line: string): void => {
      this.length += line.length + this.newLine.length;
      checkTextLength(this.length);
      lines.push(line);
    };
    if (withHeader) {
      const names = [...this.columns.keys()].map((id) => id.slice(id.indexOf(' ') + 1));
      for (let line = 0; line < Number(this.options.headerLineNumber); line++) put('');
      put(names.map((name) => this.cell(name, this.options.quoteHeader === true)).join(this.separator));
    }
    for (let line = lines.length; line < Number(this.options.bodyStartLineNumber); line++) put('');
    for (const row of rows) {
      const line = this.row(row, withHeader);
      // A line without anything is no row to a reader: one empty cell is put in quotes.
      if (line !== '' || this.options.ignoreEmptyLine === false) put(line);
      else if (isObject(row) ? sizeOfObject(row) > 0 : (row as Value[]).length > 0)
        put(this.quote + this.quote);
    }
    return lines.length === 0 ? '' : lines.join(this.newLine) + this.newLine;
  }

  private rowsOf(given: Value): readonly Value[] {
    const value = bare(given);
    if (value === null) return [];
    if (isObject(value)) return [value];
    const rows = value instanceof Range ? value.items() : value;
    if (!Array.isArray(rows))
      throw formatFault(`CSV needs an array of objects, not ${kindOf(value)} (${preview(value)})`);
    return rows.map((given, i) => {
      const row = bare(given);
      if (!isObject(row) && !Array.isArray(row))
        throw formatFault(`CSV needs an array of objects but item ${i} is ${kindOf(row)} (${preview(row)})`);
      return row;
    });
  }

  private idsOf(row: ObjectValue): string[] {
    const seen = new Map<string, number>();
    return keysOf(row).map((key) => {
      const name = nameOf(key);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      return `${count} ${name}`;
    });
  }

  private meet(row: ObjectValue): void {
    for (const id of this.idsOf(row)) if (!this.columns.has(id)) this.columns.set(id, this.columns.size);
  }

  private row(row: Value, byName: boolean): string {
    step();
    const always = this.options.quoteValues === true;
    if (!isObject(row)) return (row as Value[]).map((cell) => this.cellOf(cell, always)).join(this.separator);
    const values = valuesOf(row);
    if (!byName) return values.map((cell) => this.cellOf(cell, always)).join(this.separator);
    const cells = Array.from({ length: this.columns.size }, () => '');
    for (const [i, id] of this.idsOf(row).entries())
      cells[this.columns.get(id) as number] = this.cellOf(values[i] as Value, always);
    return cells.join(this.separator);
  }

  private cellOf(given: Value, always: boolean): string {
    const value = bare(given);
    if (value === null) return '';
    const text = scalarText(given);
    if (text === undefined)
      throw formatFault(
        `A cell of CSV takes a text but got ${kindOf(value)} (${preview(value)})`,
        'join or pick what should stand in the cell',
      );
    return this.cell(text, always);
  }

  /** In quotes when the text would not be read back the same without. */
  private cell(text: string, always: boolean): string {
    const { quote, escape, separator } = this;
    const risky = escape !== '' && escape !== quote && this.escapeMatters(text);
    const quotes = quote !== '' && text.includes(quote);
    if (!always && !risky && !quotes && !this.holdsSeparator(text) && !/[\r\n]/.test(text)) return text;
    if (quote === '') {
      if (/[\r\n]/.test(text)) throw formatFault('A cell with a line break cannot be written without quotes');
      return (risky ? text.replaceAll(escape, escape + escape) : text).replaceAll(
        separator,
        escape + separator,
      );
    }
    let inner = risky ? text.replaceAll(escape, escape + escape) : text;
    inner = inner.replaceAll(quote, (escape === '' ? quote : escape) + quote);
    return quote + inner + quote;
  }

  /** A part of a long separator counts: with the next one it could look whole. */
  private holdsSeparator(text: string): boolean {
    for (const c of this.separator) if (text.includes(c)) return true;
    return false;
  }

  /** Would an escape character in the text be taken for one that escapes? */
  private escapeMatters(text: string): boolean {
    const { quote, escape, separator } = this;
    for (let at = text.indexOf(escape); at >= 0; at = text.indexOf(escape, at + 1)) {
      const next = at + escape.length;
      if (next >= text.length) return true;
      if ([quote, separator, escape].some((one) => one !== '' && text.startsWith(one, next))) return true;
    }
    return false;
  }
}
