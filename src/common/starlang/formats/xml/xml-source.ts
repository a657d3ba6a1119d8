import { faultAt } from '../format-text.js';
import { INVALID, NAME_HERE } from './names.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The characters of an XML document with a place in them: what every part of the reader needs. */
export class XmlSource {
  at = 0;
  readonly text: string;
  /** Entities the document itself declares, when it may. */
  readonly declared = new Map<string, string>();
  private expansions = 0;

  constructor(
    text: string,
    private readonly mostExpansions: number,
    private readonly readsDtd: boolean,
  ) {
    // Line ends are one character to the application (XML 1.0, 2.11).
    this.text = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  }

  fail(message: string, at = this.at, hint?: string): never {
    throw faultAt('XML', this.text, at, message, hint);
  }

  found(): string {
    return this.at < this.text.length ? JSON.stringify(this.text[this.at]) : 'the end of the text';
  }

  starts(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  expect(word: string): void {
    if (!this.starts(word)) this.fail(`expected "${word}" but found ${this.found()}`);
    this.at += word.length;
  }

  /** Skips white space; was there any? */
  blanks(): boolean {
    const from = this.at;
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 32 && c !== 10 && c !== 9) return this.at > from;
      this.at++;
    }
  }

  name(what: string): string {
    NAME_HERE.lastIndex = this.at;
    const found = NAME_HERE.exec(this.text)?.[0];
    if (found === undefined) this.fail(`expected ${what} but found ${this.found()}`);
    this.at += found.length;
    return found;
  }

  /** The text up to `end`, which is skipped too. */
  upTo(end: string, what: string): string {
    const stop = this.text.indexOf(end, this.at);
    if (stop < 0) this.fail(`${what} has no end ("${end}")`);
    const part = this.text.slice(this.at, stop);
    this.at = stop + end.length;
    return part;
  }

  quoted(what: string): string {
    const quote = this.text[this.at];
    if (quote !== '"' && quote !== "'") this.fail(`expected ${what} in quotes but found ${this.found()}`);
    this.at++;
    return this.upTo(quote, what);
  }

  /** Refuses characters XML does not allow. */
  checked(raw: string, from: number): string {
    const wrong = INVALID.exec(raw);
    if (wrong) this.fail('a character that XML does not allow', from + wrong.index);
    return raw;
  }

  /** The text with its references resolved; `from` is where it stands, for errors. */
  resolved(raw: string, from: number): string {
    this.checked(raw, from);
    if (!raw.includes('&')) return raw;
    let out = '';
    let last = 0;
    for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', last)) {
      const end = raw.indexOf(';', at);
      const name = end < 0 ? '' : raw.slice(at + 1, end);
      if (!/^(?:#\d+|#x[\da-fA-F]+|[^\s&;#<]+)$/.test(name))
        this.fail('a bare "&"', from + at, 'write &amp; for an ampersand');
      out += raw.slice(last, at) + this.entity(name, from + at);
      last = end + 1;
    }
    return out + raw.slice(last);
  }

  private entity(name: string, at: number): string {
    const known = ENTITIES.get(name);
    if (known !== undefined) return known;
    if (name.startsWith('#')) return this.character(name, at);
    const declared = this.declared.get(name);
    if (declared === undefined)
      this.fail(
        `the entity "&${name};" is not declared`,
        at,
        this.readsDtd ? undefined : 'declarations of the document type are not read without supportDtd=true',
      );
    if (++this.expansions > this.mostExpansions)
      this.fail(
        `more than ${this.mostExpansions} entities to expand`,
        at,
        'raise maxEntityCount if it is meant',
      );
    return declared;
  }

  private character(name: string, at: number): string {
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\0';
    if (INVALID.test(character)) this.fail(`the reference "&${name};" is no character of XML`, at);
    return character;
  }
}
