import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { compile, DEFAULT_INPUTS, parse, type Script } from '../common/starlang/index.js';
import { CommandFailure } from './failure.js';
import { readStandardInput } from './standard-input.js';
import type { Terminal } from './terminal.js';

const typesByEnding: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.csv': 'application/csv',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.txt': 'text/plain',
  '.sl': 'application/dw',
  '.dwl': 'application/dw',
  '.properties': 'text/x-java-properties',
};

/** What `--input` and `--type` gave, by the name of the input. */
export class StarlangInputs {
  private readonly files = new Map<string, string>();
  private readonly types = new Map<string, string>();

  constructor(inputs: readonly string[], types: readonly string[]) {
    for (const input of inputs) this.files.set(...named(input));
    for (const type of types) this.types.set(...named(type));
    for (const name of this.types.keys())
      if (!this.files.has(name))
        throw new CommandFailure(`--type speaks of ${name}, but there is no --input of it.`);
  }

  /** What a script may name. */
  get names(): readonly string[] {
    return [...new Set([...DEFAULT_INPUTS, ...this.files.keys()])];
  }

  /** Is one of them standard input? */
  get usesStandardInput(): boolean {
    return [...this.files.values()].includes('-');
  }

  /** The values of those inputs that the script uses; the others are not read. */
  async read(script: Script, terminal: Terminal): Promise<Record<string, unknown>> {
    const declared = new Set(
      parse(script.source).ast.directives.flatMap((one) =>
        one.kind === 'input' && one.format.mime !== '' ? [one.name] : [],
      ),
    );
    const values: Record<string, unknown> = {};
    for (const [name, path] of this.files) {
      if (!script.uses.includes(name)) continue;
      const bytes = path === '-' ? Buffer.from(await readStandardInput()) : await readBytes(path, terminal);
      const type = this.types.get(name);
      // The script's own `input` directive reads what nothing else says the type of.
      values[name] = type === undefined && declared.has(name) ? bytes : valueOf(bytes, type ?? typeOf(path));
    }
    return values;
  }
}

/** `name=value`; what has no name is the payload. */
function named(text: string): [name: string, value: string] {
  const found = /^([A-Za-z]\w*)=(.*)$/s.exec(text);
  return found ? [found[1] as string, found[2] as string] : ['payload', text];
}

const typeOf = (path: string): string => typesByEnding[extname(path).toLowerCase()] ?? 'application/json';

/** A value of the language, read by its own formats. */
function valueOf(bytes: Uint8Array, mime: string): unknown {
  const reader = compile('read(bytes, mime)', {
    name: 'input',
    inputs: ['bytes', 'mime'],
    // What the person at the keyboard gives is as large as it is.
    limits: { memory: Number.POSITIVE_INFINITY },
  });
  return reader.run({ bytes, mime }).value;
}

export async function readBytes(path: string, { folder }: Terminal): Promise<Buffer> {
  return readFile(resolve(folder, path)).catch(() => {
    throw new CommandFailure(`The file ${path} cannot be read.`);
  });
}
