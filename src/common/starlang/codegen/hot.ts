import type { Exec } from '../compile/exec.js';
import { relink } from '../compile/link.js';
import type { SourceText } from '../errors/source-text.js';
import type { Machine } from '../runtime/machine.js';
import { generate, instantiate } from './generate.js';
import { TooLarge } from './generator.js';

/**
 * The heat at which code is generated for a script: making and warming the code up takes about as long as the
 * closures take for this many steps more than the code would.
 */
export const HOT = 4_000;
/** What a run takes beside its steps. */
const RUN = HOT / 20;

/** What a run adds to the heat of its script: a few runs over much data count as many over little. */
export const heatOf = (run: Machine): number => RUN + run.used;

/** Scripts whose code is kept, the ones used last. */
const KEPT = 500;

const kept = new Map<string, Exec | null>();
let forbidden = false;

/**
 * The generated body of a script whose `inputs` are in the first slots of its frame, or undefined where
 * closures must do: the process forbids code from text, or the script is too large. The same text is
 * generated once, however often it is compiled.
 */
export function hotBody(source: SourceText, inputs: readonly string[]): Exec | undefined {
  if (forbidden) return undefined;
  const key = JSON.stringify([source.key, inputs]);
  let found = kept.get(key);
  if (found === undefined) found = made(source, inputs);
  kept.delete(key);
  if (forbidden) return undefined;
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return found ?? undefined;
}

function made(source: SourceText, inputs: readonly string[]): Exec | null {
  try {
    return instantiate(generate(relink(source), inputs));
  } catch (error) {
    if (error instanceof EvalError) forbidden = true;
    // A tree that is nested too deeply for the generator or the engine is run by closures.
    else if (!(error instanceof TooLarge) && !(error instanceof RangeError)) throw error;
    return null;
  }
}
