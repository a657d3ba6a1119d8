import type { Expression, ExpressionLanguage } from '../../common/engine/api/expression.js';
import type { FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { ToolRule } from '../../common/engine/model/tool-definition.js';

export interface CompiledRule {
  readonly rule: ToolRule;
  readonly expression: Expression;
  /** Arguments the script names. */
  readonly names: readonly string[];
}

/** @throws HelixError `EXPRESSION.INVALID_SCRIPT` */
export function compileRule(toolId: string, rule: ToolRule, language: ExpressionLanguage): CompiledRule {
  const expression = language.compile(rule.expr, `${toolId}:${rule.name}`);
  return { rule, expression, names: namesIn(rule.expr) };
}

/** `args["x"]`, `args['x']`, `args.x` and the same of `payload`. */
function namesIn(script: string): readonly string[] {
  const found = script.matchAll(
    /\b(?:args|payload)\s*(?:\[\s*(?:"([^"]+)"|'([^']+)')\s*\]|\.\s*([A-Za-z_][A-Za-z0-9_]*))/g,
  );
  return [...new Set([...found].flatMap(([, a, b, c]) => a ?? b ?? c ?? []))];
}

/**
 * The rule's verdict on an exchange whose `args` are set: null where it holds. A rule that cannot be judged does not hold;
 * where that is because an argument is missing or null, the problem names it.
 */
export function judge({ rule, expression, names }: CompiledRule, exchange: Exchange): FieldProblem | null {
  const args = exchange.args ?? {};
  const absent = names.filter((name) => !Object.hasOwn(args, name) || args[name] === null);
  const [only] = names;
  const path =
    names.length === 1 && only !== undefined ? `/${only.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
  const broken = (why: string): FieldProblem => ({ path, code: 'rule', message: `${rule.reason}${why}` });
  let verdict: unknown;
  try {
    verdict = expression.evaluate(exchange);
  } catch {
    return broken(
      absent.length > 0 ? ` (${named(absent)})` : ` (the rule "${rule.name}" could not be judged)`,
    );
  }
  if (verdict === true) return null;
  if (verdict === false) return broken(absent.length > 0 ? ` (${named(absent)})` : '');
  return broken(
    absent.length > 0 ? ` (${named(absent)})` : ` (the rule "${rule.name}" gave neither true nor false)`,
  );
}

function named(absent: readonly string[]): string {
  const list = absent.map((name) => `"${name}"`).join(', ');
  return absent.length === 1 ? `the argument ${list} is missing` : `the arguments ${list} are missing`;
}
