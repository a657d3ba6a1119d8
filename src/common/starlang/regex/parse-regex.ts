/**
 * The reader of Java's regular expressions. Longer than most files because it is one recursive descent: every
 * method calls the others, and the flags in force are its state.
 */
import { coercionFault } from '../errors/fault.js';
import type { Pattern } from './ast.js';
import { bothCases, complement, intersection, POSIX, union, VERTICAL, type Ranges } from './char-set.js';
import { CONTROL, JAVA_PROPERTIES, SETS } from './java-names.js';

type SetNode = Extract<Pattern, { kind: 'set' }>;

export interface ParsedRegex {
  pattern: Pattern;
  ignoreCase: boolean;
  multiline: boolean;
}

const DEEPEST = 100;

/** Reads the Java flavour. @throws Fault of kind coercion */
export function parseRegex(source: string): ParsedRegex {
  return new RegexParser(source).parse();
}

class RegexParser {
  private at = 0;
  private ignoreCase = false;
  private dotAll = false;
  private multiline = false;
  private comments = false;
  private globalIgnoreCase = false;
  private depth = 0;

  constructor(private readonly source: string) {}

  parse(): ParsedRegex {
    const pattern = this.choice();
    if (this.at < this.source.length) this.fail('unmatched ")"');
    return { pattern, ignoreCase: this.globalIgnoreCase, multiline: this.multiline };
  }

  private fail(why: string): never {
    throw coercionFault(
      `The regular expression /${this.source}/ is wrong at character ${this.at + 1}: ${why}`,
    );
  }

  private choice(): Pattern {
    if (++this.depth > DEEPEST) this.fail('nested too deeply');
    const items = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      items.push(this.sequence());
    }
    this.depth--;
    return items.length === 1 ? (items[0] as Pattern) : { kind: 'choice', items };
  }

  private sequence(): Pattern {
    const items: Pattern[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] as string)) {
      if (this.comments && this.skipComment()) continue;
      const item = this.atom();
      if (item) items.push(this.quantified(item));
    }
    return items.length === 1 ? (items[0] as Pattern) : { kind: 'sequence', items };
  }

  private skipComment(): boolean {
    const c = this.source[this.at] as string;
    if (/\s/.test(c)) this.at++;
    else if (c === '#') {
      const end = this.source.indexOf('\n', this.at);
      this.at = end < 0 ? this.source.length : end;
    } else return false;
    return true;
  }

  private quantified(item: Pattern): Pattern {
    for (;;) {
      const found = /^(?:([*+?])|\{(\d+)(,(\d*))?\})([?+]?)/.exec(this.source.slice(this.at, this.at + 24));
      if (!found) return item;
      this.at += found[0].length;
      const lazy = found[5] === '?';
      let [min, max] = [0, Number.POSITIVE_INFINITY];
      if (found[1] === '+') min = 1;
      else if (found[1] === '?') max = 1;
      else if (found[2] !== undefined) {
        min = Number(found[2]);
        max = found[3] === undefined ? min : found[4] === '' ? max : Number(found[4]);
        if (max < min || min > 1000 || (max > 1000 && max !== Number.POSITIVE_INFINITY))
          this.fail(`the repetition ${found[0]} is out of bounds`);
      }
      // Java accepts `^*`; a repeated anchor holds or, when it may be absent, says nothing.
      if (item.kind === 'anchor' || item.kind === 'look') {
        if (min === 0) item = { kind: 'sequence', items: [] };
      } else item = { kind: 'repeat', body: item, min, max, lazy };
    }
  }

  private set(ranges: Ranges, properties: string[] = [], negated = false): SetNode {
    return {
      kind: 'set',
      ranges: this.ignoreCase && !this.globalIgnoreCase ? bothCases(ranges) : ranges,
      properties,
      negated,
    };
  }

  private atom(): Pattern | undefined {
    const c = this.source[this.at] as string;
    switch (c) {
      case '(':
        return this.group();
      case '[':
        return this.bracket();
      case '.':
        this.at++;
        return this.set(
          this.dotAll
            ? complement([])
            : complement([
                [10, 10],
                [13, 13],
                [0x85, 0x85],
                [0x2028, 0x2029],
              ]),
        );
      case '^':
      case '$':
        this.at++;
        return { kind: 'anchor', text: c };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        return this.fail(`nothing to repeat before "${c}"`);
      default: {
        const code = this.source.codePointAt(this.at) as number;
        this.at += code > 0xffff ? 2 : 1;
        return this.set([[code, code]]);
      }
    }
  }

  private group(): Pattern | undefined {
    const found =
      /^\((?:\?(?:([idmsuxU]*(?:-[idmsux]+)?)([:)])|(<?[=!])|<([A-Za-z][A-Za-z0-9]*)>|(>)|P<([A-Za-z]\w*)>))?/.exec(
        this.source.slice(this.at),
      ) as RegExpExecArray;
    if (found[0] === '(' && this.source[this.at + 1] === '?') this.fail('this kind of group is not known');
    const start = this.at;
    this.at += found[0].length;
    const saved = [this.ignoreCase, this.dotAll, this.comments] as const;
    if (found[1] !== undefined) {
      this.flags(found[1], start === 0 && found[2] === ')');
      if (found[2] === ')') return undefined;
    }
    const body = this.choice();
    if (this.source[this.at] !== ')') this.fail('a group is not closed');
    this.at++;
    [this.ignoreCase, this.dotAll, this.comments] = saved;
    if (found[3]) return { kind: 'look', sign: found[3], body };
    const name = found[4] ?? found[6];
    const capture = found[1] === undefined && !found[5];
    return { kind: 'group', capture, ...(name ? { name } : {}), body };
  }

  private flags(text: string, leading: boolean): void {
    const [on, off = ''] = text.split('-');
    if (on?.includes('i')) {
      this.ignoreCase = true;
      if (leading) this.globalIgnoreCase = true;
    }
    if (off.includes('i')) this.ignoreCase = false;
    if (on?.includes('s')) this.dotAll = true;
    if (on?.includes('m')) this.multiline = true;
    if (on?.includes('x')) this.comments = true;
  }

  private escape(): Pattern {
    const c = this.source[this.at + 1];
    if (c === undefined) return this.fail('a lone backslash at the end');
    if (c === 'Q') {
      const end = this.source.indexOf('\\E', this.at + 2);
      const text = this.source.slice(this.at + 2, end < 0 ? undefined : end);
      this.at = end < 0 ? this.source.length : end + 2;
      return {
        kind: 'sequence',
        items: Array.from(text, (one) =>
          this.set([[one.codePointAt(0) as number, one.codePointAt(0) as number]]),
        ),
      };
    }
    if (c === 'b' || c === 'B' || c === 'A' || c === 'z' || c === 'Z' || c === 'G') {
      this.at += 2;
      return { kind: 'anchor', text: c === 'A' || c === 'G' ? '^' : c === 'z' || c === 'Z' ? '$' : `\\${c}` };
    }
    if (c === 'R') {
      this.at += 2;
      return this.set(VERTICAL);
    }
    const reference = /^\\(?:([1-9]\d?)|k<([A-Za-z][A-Za-z0-9]*)>)/.exec(this.source.slice(this.at));
    if (reference) {
      this.at += reference[0].length;
      return { kind: 'reference', text: reference[1] ? `\\${reference[1]}(?:)` : `\\k<${reference[2]}>` };
    }
    return this.classEscape();
  }

  /** `\d`, `\p{L}`, `\n`, `\x41`, `\.` – legal inside and outside brackets. */
  private classEscape(): SetNode {
    const c = this.source[this.at + 1] as string;
    this.at += 2;
    const known = SETS[c.toLowerCase()];
    if (known && 'dDwWsShHvV'.includes(c)) return this.set(c === c.toLowerCase() ? known : complement(known));
    if (c === 'p' || c === 'P') return this.property(c === 'P');
    const code = this.codeOf(c);
    return this.set([[code, code]]);
  }

  private codeOf(c: string): number {
    if (c !== 'x' && c !== 'u') return CONTROL[c] ?? (c.codePointAt(0) as number);
    const digits = c === 'u' ? '{4}' : '{2}';
    const found = new RegExp(`^(?:\\{([0-9a-fA-F]{1,6})\\}|([0-9a-fA-F]${digits}))`).exec(
      this.source.slice(this.at),
    );
    if (!found) return this.fail(`\\${c} needs hexadecimal digits`);
    this.at += found[0].length;
    return Number.parseInt((found[1] ?? found[2]) as string, 16);
  }

  private property(negated: boolean): SetNode {
    const found = /^(?:\{\^?([A-Za-z_=]+)\}|([A-Z]))/.exec(this.source.slice(this.at));
    if (!found) return this.fail('\\p needs a name such as {L}');
    this.at += found[0].length;
    const name = (found[1] ?? found[2]) as string;
    const posix = POSIX[name];
    if (posix) return this.set(negated ? complement(posix) : posix);
    const general = JAVA_PROPERTIES[name] ?? name.replace(/^(?:Is|general_category=|gc=)/, '');
    if (!/^(?:[LMNPSZC][a-z]?|[A-Z][a-z]+)$/.test(general)) return this.fail(`\\p{${name}} is not known`);
    const text = general.length <= 2 ? general : `Script=${general}`;
    return this.set([], [`\\${negated ? 'P' : 'p'}{${text}}`]);
  }

  private bracket(): SetNode {
    if (++this.depth > DEEPEST) this.fail('nested too deeply');
    this.at++;
    const negated = this.source[this.at] === '^';
    if (negated) this.at++;
    let ranges: Ranges = [];
    let properties: string[] = [];
    let first = true;
    for (; ; first = false) {
      const c = this.source[this.at];
      if (c === undefined) this.fail('a class is not closed');
      if (c === ']' && !first) break;
      if (c === '[') {
        const inner = this.bracket();
        if (inner.negated && inner.properties.length > 0)
          this.fail('a negated class of properties cannot be nested');
        ranges = union(ranges, inner.negated ? complement(inner.ranges) : inner.ranges);
        properties.push(...inner.properties);
      } else if (c === '&' && this.source[this.at + 1] === '&') {
        this.at += 2;
        const other = this.rest();
        if (properties.length + other.properties.length > 0) this.fail('&& with \\p{…} is not supported');
        ranges = intersection(ranges, other.negated ? complement(other.ranges) : other.ranges);
        break;
      } else {
        const item = this.member();
        ranges = union(ranges, item.ranges);
        properties = [...properties, ...item.properties];
      }
    }
    this.at++;
    this.depth--;
    return this.set(ranges, properties, negated);
  }

  /** What stands after `&&` up to the closing bracket, which stays. */
  private rest(): SetNode {
    const open = this.at;
    if (this.source[open] === '[') {
      const set = this.bracket();
      if (this.source[this.at] === ']') return set;
    }
    this.at = open;
    let ranges: Ranges = [];
    const negated = this.source[this.at] === '^';
    if (negated) this.at++;
    while (this.at < this.source.length && this.source[this.at] !== ']') {
      const part = this.source[this.at] === '[' ? this.bracket() : this.member();
      ranges = union(ranges, part.negated ? complement(part.ranges) : part.ranges);
    }
    return this.set(ranges, [], negated);
  }

  private member(): SetNode {
    const low = this.one();
    const isOne = low.ranges.length === 1 && low.ranges[0]?.[0] === low.ranges[0]?.[1];
    const next = this.source[this.at + 1];
    if (!isOne || this.source[this.at] !== '-' || next === ']' || next === '[' || next === undefined)
      return low;
    this.at++;
    const high = this.one();
    const [from, to] = [low.ranges[0]?.[0] as number, high.ranges[0]?.[0] as number];
    if (high.ranges.length !== 1 || from > to) this.fail('a range of a class is the wrong way round');
    return this.set([[from, to]]);
  }

  private one(): SetNode {
    if (this.source[this.at] === '\\') {
      if (this.source[this.at + 1] === undefined) this.fail('a lone backslash at the end');
      return this.classEscape();
    }
    const code = this.source.codePointAt(this.at) as number;
    this.at += code > 0xffff ? 2 : 1;
    return { kind: 'set', ranges: [[code, code]], properties: [], negated: false };
  }
}
