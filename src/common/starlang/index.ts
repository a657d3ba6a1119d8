/**
 * Starlang: the expression and transform language of Helix. This door is all that others see.
 * Evaluation is synchronous; nothing of the host is reachable from a script.
 */
export { DEFAULT_INPUTS } from './api.js';
export type { CompileOptions, FunctionDoc, Resource, RunEnv, RunResult, Script } from './api.js';
export { StarlangError } from './errors/starlang-error.js';
export type { Problem, ProblemKind } from './errors/problem.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { Limits } from './limits.js';
export { compile } from './script.js';
export { readText, writeText } from './text.js';
export { prepare, toPlain } from './runtime/boundary.js';
export { parse } from './syntax/parse.js';
export { print } from './syntax/print.js';
export type { Document } from './syntax/ast.js';
export { listFunctions } from './library/registry.js';
