import type { Expression, ExpressionLanguage } from '../api/expression.js';
import { HelixError } from '../errors/helix-error.js';

/**
 * JavaScript expressions in place of Starlang, so that the engine's own specs stand on the engine alone. For tests: the
 * scripts are the test's own text.
 */
export class ScriptLanguage implements ExpressionLanguage {
  compile(source: string): Expression {
    let run: (...values: unknown[]) => unknown;
    try {
      // oxlint-disable-next-line no-new-func, no-implied-eval
      run = new Function(
        'payload',
        'header',
        'vars',
        'args',
        'error',
        'session',
        `return (${source});`,
      ) as typeof run;
    } catch (thrown) {
      throw new HelixError('EXPRESSION.INVALID_SCRIPT', `"${source}" does not compile.`, { cause: thrown });
    }
    // As Starlang does: what a script does not name is not looked up, which may cost a copy.
    const readsVars = /\bvars\b/.test(source);
    return {
      source,
      evaluate(exchange) {
        try {
          return run(
            exchange.body,
            (name: string) => exchange.headers.get(name) ?? null,
            readsVars ? Object.fromEntries(exchange.properties) : {},
            exchange.args ?? exchange.body,
            exchange.caught,
            exchange.session?.state ?? {},
          );
        } catch (thrown) {
          throw new HelixError('EXPRESSION.EVALUATION_FAILED', `"${source}" failed.`, { cause: thrown });
        }
      },
    };
  }
}
