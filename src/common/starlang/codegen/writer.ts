/** What is surely known of a value while code is written. `any` promises nothing. */
export type Known = 'any' | 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'function';

/** A name or literal of the written code: reading it twice is the same as reading it once. */
export interface Atom {
  code: string;
  known: Known;
  /** Of a literal. */
  literal?: string | number | boolean | null;
}

/**
 * Collects statements. Every expression of a script becomes statements that end in an {@link Atom}, so
 * the order of evaluation is the order of the lines. Names are made here; text of a script only gets in
 * as a JSON literal or as a constant handed over beside the code.
 */
export class Writer {
  readonly constants: unknown[] = [];
  private readonly known = new Map<unknown, string>();
  private lines: string[] = [];
  private count = 0;
  /** Is the machine of the run used in the function being written? */
  usesMachine = false;

  emit(line: string): void {
    this.lines.push(line);
  }

  fresh(prefix: string): string {
    return `${prefix}${++this.count}`;
  }

  temp(code: string, known: Known = 'any'): Atom {
    const name = this.fresh('t');
    this.emit(`const ${name} = ${code};`);
    return { code: name, known };
  }

  /** A value of compile time as a name. */
  constant(value: unknown): string {
    const found = this.known.get(value);
    if (found !== undefined) return found;
    const name = `k${this.constants.length}`;
    this.constants.push(value);
    this.known.set(value, name);
    return name;
  }

  get machine(): string {
    this.usesMachine = true;
    return 'M';
  }

  /** The statements `write` makes, apart from those before. */
  block(write: () => void): string {
    const before = this.lines;
    this.lines = [];
    try {
      write();
      return this.lines.join('\n');
    } finally {
      this.lines = before;
    }
  }

  /** The body of a function, with its own hold on the machine. */
  body(write: () => void): string {
    const before = this.usesMachine;
    this.usesMachine = false;
    try {
      const text = this.block(write);
      return this.usesMachine ? `const M = machine();\n${text}` : text;
    } finally {
      this.usesMachine = before;
    }
  }
}

export const text = (value: string): Atom => ({
  code: JSON.stringify(value),
  known: 'string',
  literal: value,
});
export const NULL: Atom = { code: 'null', known: 'null', literal: null };
