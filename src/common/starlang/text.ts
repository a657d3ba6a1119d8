import { Fault } from './errors/fault.js';
import { StarlangError } from './errors/starlang-error.js';
import { problemAt } from './errors/problem.js';
import { checkedOptions, formatFor, mimeOptions } from './formats/registry.js';
import { asPrepared, fromHost } from './runtime/boundary.js';
import { Machine, withMachine } from './runtime/machine.js';

type Options = Readonly<Record<string, boolean | number | string>>;

/** Reads a text or bytes of a format into a value for `Script.run`, as good as one of `prepare`. @throws StarlangError */
export function readText(source: string | Uint8Array, mime: string, options: Options = {}): unknown {
  return told(() => {
    const format = formatFor(mime);
    return asPrepared(
      format.read(
        source,
        checkedOptions(format, 'reader', [...mimeOptions(format, mime), ...Object.entries(options)]),
      ),
    );
  });
}

/** Writes any value of a run in a format. @throws StarlangError */
export function writeText(value: unknown, mime: string, options: Options = {}): string | Uint8Array {
  return told(() => {
    const format = formatFor(mime);
    return format.write(
      fromHost(value),
      checkedOptions(format, 'writer', [...mimeOptions(format, mime), ...Object.entries(options)]),
    );
  });
}

function told<T>(body: () => T): T {
  try {
    return withMachine(new Machine(), body);
  } catch (error) {
    if (error instanceof Fault)
      throw new StarlangError(
        [problemAt('', 0, error.kind, error.message, error.hint ? { hint: error.hint } : {})],
        [],
        { cause: error },
      );
    throw error;
  }
}
