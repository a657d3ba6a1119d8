import { parse, StarlangError } from '../starlang/index.js';

/** A header or property that a script reads by a name that is plain to see. */
export interface ScriptRead {
  readonly kind: 'header' | 'property';
  readonly name: string;
  /** 1-based, within the script. */
  readonly line: number;
  readonly column: number;
}

interface Tree {
  readonly kind?: unknown;
  readonly start?: unknown;
}

/** `header("x")`, `headers.x`, `property("x")` and `vars.x`; nothing of a script that does not compile. */
export function readsOf(source: string): readonly ScriptRead[] {
  if (!/\b(header|headers|property|vars)\b/.test(source)) return [];
  const reads: ScriptRead[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const read = readOf(node);
      if (read) reads.push({ ...read, ...positionIn(source, Number((node as Tree).start)) });
      Object.values(node).forEach(visit);
    }
  };
  try {
    visit(parse(source));
  } catch (thrown) {
    if (!(thrown instanceof StarlangError)) throw thrown;
  }
  return reads;
}

function readOf(node: Tree): Pick<ScriptRead, 'kind' | 'name'> | null {
  const { kind, callee, args, target, selector } = node as Tree & Record<string, unknown>;
  if (kind === 'call' && Array.isArray(args)) {
    const asked = { header: 'header', property: 'property' }[nameOf(callee) ?? ''];
    const name = textOf(args[0]);
    return asked && name !== null ? { kind: asked as ScriptRead['kind'], name } : null;
  }
  if (kind === 'select') {
    const asked = { headers: 'header', vars: 'property' }[nameOf(target) ?? ''];
    const name = selectedName(selector);
    return asked && name !== null ? { kind: asked as ScriptRead['kind'], name } : null;
  }
  return null;
}

function nameOf(node: unknown): string | null {
  const { kind, name, module } = (node ?? {}) as { kind?: unknown; name?: unknown; module?: unknown };
  return kind === 'name' && typeof name === 'string' && Array.isArray(module) && module.length === 0
    ? name
    : null;
}

function textOf(node: unknown): string | null {
  const { kind, value } = (node ?? {}) as { kind?: unknown; value?: unknown };
  return kind === 'string' && typeof value === 'string' ? value : null;
}

function selectedName(selector: unknown): string | null {
  const { by, name, value } = (selector ?? {}) as { by?: unknown; name?: unknown; value?: unknown };
  if (by === 'index') return textOf(value);
  return by === 'name' ? textOf(name) : null;
}

function positionIn(source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
