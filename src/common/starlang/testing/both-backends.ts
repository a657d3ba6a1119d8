import { compile, StarlangError, writeText, type CompileOptions, type RunEnv } from '../index.js';

const ENV = (): RunEnv => {
  let count = 0;
  return {
    now: () => new Date('2024-05-06T07:08:09.010Z'),
    random: () => 0.25,
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
  };
};

/** What a run gives, as text: its value with types, or its error with kind, message, place and trace. */
export function outcomeOf(
  source: string,
  bindings: Record<string, unknown>,
  options: CompileOptions,
  env: RunEnv = {},
): string {
  try {
    const script = compile(source, options);
    if (script.backend !== options.backend) throw new Error(`not ${options.backend} but ${script.backend}`);
    const result = script.run(bindings, { ...ENV(), ...env });
    try {
      return `value ${writeText(result.value, 'application/dw') as string}`;
    } catch (error) {
      if (!(error instanceof StarlangError) && (error as Error).name !== 'Fault') throw error;
      return `unwritable ${String(error)}`;
    }
  } catch (error) {
    if (!(error instanceof StarlangError)) throw error;
    const [problem] = error.problems;
    // How far a run gets before its budget ends is no part of the language.
    if (error.kind === 'budget') return 'error budget';
    return `error ${error.message}\n${JSON.stringify(problem)}`;
  }
}

/** The outcomes on both back ends, which should be the same. */
export function onBoth(
  source: string,
  bindings: Record<string, unknown> = {},
  options: CompileOptions = {},
  env: RunEnv = {},
): { closures: string; generated: string } {
  const closures = outcomeOf(source, bindings, { ...options, backend: 'closures' }, env);
  const generated = outcomeOf(source, bindings, { ...options, backend: 'generated' }, env);
  return { closures, generated };
}
