import type { Exec } from '../compile/exec.js';
import { parse } from '../syntax/parse.js';
import { generate, instantiate } from './generate.js';
import { TooLarge } from './generator.js';

/** Runs of one script before code is generated for it. */
export const HOT_AFTER = 20;
/** Scripts whose code is kept, the ones used last. */
const KEPT = 500;

const kept = new Map<string, Exec | null>();
let forbidden = false;

/**
 * The generated body of a script whose `inputs` are in the first slots of its frame, or undefined where
 * closures must do: the process forbids code from text, or the script is too large. The same text is
 * generated once, however often it is compiled.
 */
export function hotBody(source: string, inputs: readonly string[]): Exec | undefined {
  if (forbidden) return undefined;
  const key = JSON.stringify([source, inputs]);
  let found = kept.get(key);
  if (found === undefined) found = made(source, inputs);
  kept.delete(key);
  if (forbidden) return undefined;
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return found ?? undefined;
}

function made(source: string, inputs: readonly string[]): Exec | null {
  try {
    return instantiate(generate(source, parse(source).ast, inputs));
  } catch (error) {
    if (error instanceof EvalError) forbidden = true;
    // A tree that is nested too deeply for the generator or the engine is run by closures.
    else if (!(error instanceof TooLarge) && !(error instanceof RangeError)) throw error;
    return null;
  }
}
