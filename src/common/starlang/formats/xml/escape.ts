import { formatFault } from '../../errors/fault.js';
import type { FormatOptions } from '../format.js';
import { INVALID } from './names.js';

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const ALL_INVALID = new RegExp(INVALID.source, 'g');

/** How texts are written under the options of the writer. */
export class Escape {
  private readonly inText: RegExp;
  private readonly ascii: boolean;

  constructor(private readonly options: FormatOptions) {
    this.inText = new RegExp(
      `[&<${options.escapeGT === true ? '>' : ''}${options.escapeCR === true ? '\r' : ''}]`,
      'g',
    );
    this.ascii = !/^utf/i.test(String(options.encoding));
  }

  text(text: string): string {
    const out = this.valid(text).replace(this.inText, (c) => REFERENCES[c] as string);
    return this.narrow(out.includes(']]>') ? out.replaceAll(']]>', ']]&gt;') : out);
  }

  attribute(text: string): string {
    return this.narrow(this.valid(text).replace(/[&<"\t\n\r]/g, (c) => REFERENCES[c] as string));
  }

  /** A section cannot hold its own end: it is cut in two there. */
  section(text: string): string {
    return `<![CDATA[${this.valid(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
  }

  /** Characters a narrow encoding may lack are written as references, so that the text is right in any. */
  private narrow(text: string): string {
    if (!this.ascii) return text;
    // oxlint-disable-next-line no-control-regex -- everything beyond ASCII
    return text.replace(/[^\u0000-\u007F]/gu, (c) => `&#${c.codePointAt(0)};`);
  }

  private valid(text: string): string {
    if (!INVALID.test(text)) return text;
    switch (this.options.onInvalidChar) {
      case 'base64':
        return Buffer.from(text, 'utf8').toString('base64');
      case 'ignore':
        return text.replace(ALL_INVALID, '');
      default:
        throw formatFault(
          `The text ${JSON.stringify(text.slice(0, 80))} holds a character that XML does not allow`,
          'write it with onInvalidChar="ignore" or "base64"',
        );
    }
  }
}
