import {
  compile,
  DEFAULT_INPUTS,
  listFunctions,
  parse,
  StarlangError,
  writeText,
  type Problem,
} from '../common/starlang/index.js';
import { describeFunctions, functionsFor } from './starlang-functions.js';
import { paintOf, type Terminal } from './terminal.js';

/** What a line of the session came to. */
export interface Reply {
  readonly text: string;
  /** What was typed goes on in the next line. */
  readonly isOpen?: boolean;
  readonly isEnd?: boolean;
}

interface Declaration {
  /** What a later declaration of the same thing replaces. */
  readonly id: string;
  readonly source: string;
}

const DECLARATION = /^\s*(?:(var|fun|type|ns|annotation)\s+(\S+?)(?=[\s(<=:]|$)|(import)\s+(.*))/s;
const INPUTS = [...DEFAULT_INPUTS, 'it'];

/** One conversation with the language: declarations stay, `payload` and `it` are values. */
export class StarlangSession {
  private declarations: Declaration[] = [];
  private pending = '';
  private output = 'application/dw';
  private payload: unknown = null;
  private it: unknown = null;

  constructor(private readonly terminal: Terminal) {}

  /** Takes one line. An empty line ends what is open, whether it is whole or not. */
  feed(line: string): Reply {
    const opened = this.pending;
    if (!opened && line.trim().startsWith(':')) return this.command(line.trim());
    const source = opened ? `${opened}\n${line}` : line;
    this.pending = '';
    if (source.trim() === '') return { text: '' };
    if (line.trim() !== '' && this.isOpen(source)) {
      this.pending = source;
      return { text: '', isOpen: true };
    }
    return { text: this.evaluate(source) };
  }

  /** Forgets what is open, as Ctrl-C wants. @returns whether anything was */
  cancel(): boolean {
    const was = this.pending !== '';
    this.pending = '';
    return was;
  }

  /** Names that go on from the end of the line, and the part of it they replace. */
  complete(line: string): [string[], string] {
    const [word = ''] = /[:\w]*$/.exec(line) ?? [];
    const names = word.startsWith(':')
      ? Object.keys(COMMANDS)
      : [...INPUTS, ...this.declarations.map(({ id }) => id), ...listFunctions().map(({ name }) => name)];
    const unique = new Set(names.filter((name) => /^:?\w+$/.test(name) && name.startsWith(word)));
    return [[...unique].toSorted(), word];
  }

  /** Does the text only lack its end? */
  private isOpen(source: string): boolean {
    const whole = this.whole(source);
    const end = whole.lastIndexOf(source) + source.trimEnd().length;
    const [first] = parse(whole).problems;
    return first !== undefined && (first.offset >= end || /has no closing/.test(first.message));
  }

  private whole(source: string): string {
    const before = this.declarations.map((one) => `${one.source}\n`).join('');
    return DECLARATION.test(source) ? `${before}${source}\n---\nnull` : `${before}---\n${source}`;
  }

  private evaluate(source: string): string {
    const declared = DECLARATION.exec(source);
    const id = declared?.[2] ?? declared?.[4]?.trim();
    const kept = id === undefined ? this.declarations : this.declarations.filter((one) => one.id !== id);
    const before = this.declarations;
    const lines = kept.reduce((sum, one) => sum + one.source.split('\n').length, id === undefined ? 1 : 0);
    this.declarations = kept;
    try {
      const script = compile(this.whole(source), { name: 'repl', inputs: INPUTS });
      const warnings = script.warnings.map((one) =>
        this.problem(one, lines, paintOf(this.terminal).yellow('warning')),
      );
      if (id !== undefined) {
        this.declarations = [...kept, { id, source }];
        return warnings.join('\n');
      }
      const { value } = script.run({ payload: this.payload, it: this.it });
      const text = String(writeText(value, this.output)).trimEnd();
      this.it = value;
      return [...warnings, text].join('\n');
    } catch (error) {
      this.declarations = before;
      if (!(error instanceof StarlangError)) throw error;
      return error.problems.map((one) => this.problem(one, lines)).join('\n');
    }
  }

  /** A problem with its line counted from what was typed last. */
  private problem(
    { message, hint, line, column, excerpt }: Problem,
    before: number,
    word = paintOf(this.terminal).red('error'),
  ): string {
    const paint = paintOf(this.terminal);
    const own = line - before;
    const shown =
      own > 0
        ? excerpt.replace(/^\d+/, (digits) => String(own).padStart(digits.length))
        : `in an earlier declaration:\n${excerpt}`;
    const place = own > 0 ? ` (line ${own}, column ${column})` : '';
    return [`${word} ${message}${place}`, shown, ...(hint ? [paint.dim(hint)] : [])].join('\n');
  }

  private command(line: string): Reply {
    const [name = '', ...words] = line.split(/\s+/);
    const rest = words.join(' ');
    switch (name) {
      case ':help':
        return { text: HELP };
      case ':functions': {
        const found = functionsFor(rest || undefined);
        const none = `No function has "${rest}" in its name or sentence.`;
        return { text: found.length > 0 ? describeFunctions(found, this.terminal).trimEnd() : none };
      }
      case ':payload':
        return { text: this.setPayload(rest) };
      case ':output':
        return { text: this.setOutput(rest) };
      case ':list':
        return { text: this.declarations.map(({ source }) => source).join('\n') };
      case ':reset':
        this.declarations = [];
        this.payload = this.it = null;
        return { text: '' };
      case ':quit':
        return { text: '', isEnd: true };
      default:
        return { text: `There is no ${name}. :help lists what there is.` };
    }
  }

  private setPayload(expression: string): string {
    if (expression === '') return String(writeText(this.payload, this.output)).trimEnd();
    const before = this.it;
    const text = this.evaluate(expression);
    if (this.it !== before) this.payload = this.it;
    return text;
  }

  private setOutput(mime: string): string {
    try {
      writeText(null, mime);
    } catch (error) {
      // A format that cannot write null is a format all the same.
      if (error instanceof StarlangError && /is not known/.test(error.message)) {
        const [problem] = error.problems;
        return [problem?.message, problem?.hint].filter(Boolean).join('\n');
      }
    }
    this.output = mime;
    return '';
  }
}

const COMMANDS: Readonly<Record<string, string>> = {
  ':help': 'this text',
  ':functions [name]': 'the functions of the library, or those with the name',
  ':payload [expression]': 'sets payload to the value of an expression; shows it without one',
  ':output <type>': 'how values are written: dw (the default), json, yaml, xml, csv',
  ':list': 'the declarations so far',
  ':reset': 'forgets declarations and values',
  ':quit': 'ends the session, as Ctrl-D does',
};

const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length)) + 2;
const HELP = [
  'Type an expression and read its value. var, fun, type, ns and import declare something for what follows;',
  'declared again, it is replaced. An expression may go on over several lines; an empty line ends it.',
  'it is the last value, payload what :payload has set.',
  '',
  ...Object.entries(COMMANDS).map(([command, what]) => `  ${command.padEnd(width)}${what}`),
].join('\n');
