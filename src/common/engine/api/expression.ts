import type { Exchange } from '../model/exchange.js';

/** A compiled expression of the workflow language, evaluated against one exchange. */
export interface Expression {
  readonly source: string;
  /** The format the script writes, by its output directive; undefined where it has none. */
  readonly mimeType?: string | undefined;
  /** @throws HelixError `EXPRESSION.EVALUATION_FAILED` or `EXPRESSION.BUDGET_EXCEEDED` */
  evaluate(exchange: Exchange): unknown;
}

/** A condition. It gives true or false or throws: a failing condition is never taken for false. */
export type Predicate = (exchange: Exchange) => boolean;

export interface ExpressionProblem {
  readonly message: string;
  /** 1-based, within the script. */
  readonly line: number;
  readonly column: number;
  /** The source line with a caret below the place. */
  readonly excerpt: string;
}

/** The expression language as the engine sees it; the DSL binds Starlang to it. */
export interface ExpressionLanguage {
  /** @throws HelixError `EXPRESSION.INVALID_SCRIPT` with `details.problems: ExpressionProblem[]` */
  compile(source: string, name?: string): Expression;
}
