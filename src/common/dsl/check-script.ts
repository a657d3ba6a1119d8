import { compile, StarlangError } from '../starlang/index.js';
import type { ScriptCheck } from './scripts.js';

/** Starlang's own compiler as the judge of scripts. */
export const checkScript: ScriptCheck = (source) => {
  try {
    return { errors: [], warnings: compile(source).warnings };
  } catch (error) {
    if (!(error instanceof StarlangError)) throw error;
    return { errors: error.problems, warnings: [] };
  }
};
