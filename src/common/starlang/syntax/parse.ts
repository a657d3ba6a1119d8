import type { Problem } from '../errors/problem.js';
import type { Document, TypeNode } from './ast.js';
import { Parser } from './parser.js';

/** Parses a whole script; with problems, the tree holds what could be understood. Never throws. */
export function parse(source: string): { ast: Document; problems: readonly Problem[] } {
  const parser = new Parser(source);
  try {
    const ast = parser.document();
    return { ast, problems: parser.problems };
  } finally {
    parser.release();
  }
}

/** The parameter list and result of a library signature: `(a: T, b: String = ""): R`. */
export function parseSignature(text: string): Extract<TypeNode, { kind: 'functionType' }> {
  const { ast, problems } = parse(`fun f${text} = null --- f`);
  const found = ast.directives[0];
  if (problems.length > 0 || found?.kind !== 'fun')
    throw new Error(`Bad signature ${text}: ${problems[0]?.message}`);
  const at = { start: 0, end: 0 };
  const any: TypeNode = { kind: 'named', name: 'Any', module: [], args: [], fields: [], ...at };
  return {
    kind: 'functionType',
    params: found.value.params.map(({ name, type, value }) => ({
      name,
      type: type ?? any,
      ...(value ? { optional: true } : {}),
    })),
    result: found.value.result ?? any,
    ...at,
  };
}
