import { AGAIN, LOOP } from '../library/tail-calls.js';
import type {
  Annotation,
  ArrayNode,
  CallNode,
  Expr,
  LambdaNode,
  MatchCase,
  NameNode,
} from '../syntax/ast.js';

/** Is it a function that promises to call itself last? */
export const isTailRecursive = (annotations: readonly Annotation[] | undefined): boolean =>
  annotations?.some(({ name }) => name === 'TailRec') ?? false;

/**
 * `@TailRec() fun f(n) = if (n == 0) 0 else f(n - 1)` as a loop: the body becomes a function that gives
 * a value or asks to be called again. It is done to the tree, so that both back ends have it. A function
 * with callbacks is left as it is, for the meaning of `$` hangs on the callee.
 */
export function withoutTailCalls(name: string, node: LambdaNode): LambdaNode {
  if (node.params.some((param) => param.name === name || param.type?.kind === 'functionType')) return node;
  const body = again(name, node.body, node.params.length);
  if (body === node.body) return node;
  const { start, end } = node.body;
  const inner: LambdaNode = { kind: 'lambda', params: node.params, body, start, end };
  const args = node.params.map((param): Expr => ({ ...nameNode(param.name, start), start, end }));
  return { ...node, body: call(LOOP, [inner, list(args, node.body)], node.body) };
}

function nameNode(name: string, start: number): NameNode {
  return { kind: 'name', name, module: [], start, end: start };
}

const list = (items: Expr[], { start, end }: Expr): ArrayNode => ({
  kind: 'array',
  items: items.map((value) => ({ value })),
  start,
  end,
});

function call(name: string, args: Expr[], { start, end }: Expr): CallNode {
  return { kind: 'call', callee: nameNode(name, start), args, start, end };
}

/** The expression with its last calls of `name` as requests; itself when it has none. */
function again(name: string, node: Expr, most: number): Expr {
  switch (node.kind) {
    case 'call': {
      const { callee, args } = node;
      const isSelf = callee.kind === 'name' && callee.name === name && callee.module.length === 0;
      return isSelf && args.length <= most ? call(AGAIN, [list(args, node)], node) : node;
    }
    case 'if': {
      const [yes, no] = [again(name, node.yes, most), again(name, node.no, most)];
      return yes === node.yes && no === node.no ? node : { ...node, yes, no };
    }
    case 'match': {
      const cases = node.cases.map((one) => againInCase(name, one, most));
      return cases.every((one, i) => one === node.cases[i]) ? node : { ...node, cases };
    }
    case 'do': {
      if (node.directives.some((one) => 'name' in one && one.name === name)) return node;
      const body = again(name, node.body, most);
      return body === node.body ? node : { ...node, body };
    }
    case 'using': {
      if (node.bindings.some((one) => one.name === name)) return node;
      const body = again(name, node.body, most);
      return body === node.body ? node : { ...node, body };
    }
    default:
      return node;
  }
}

function againInCase(name: string, node: MatchCase, most: number): MatchCase {
  if (Object.values(node.pattern).includes(name)) return node;
  const body = again(name, node.body, most);
  return body === node.body ? node : { ...node, body };
}
