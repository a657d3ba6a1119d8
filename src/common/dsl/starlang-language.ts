import type { Expression, ExpressionLanguage, ExpressionProblem } from '../engine/api/expression.js';
import { HelixError } from '../engine/errors/helix-error.js';
import type { Exchange } from '../engine/model/exchange.js';
import {
  compile,
  StarlangError,
  toPlain,
  type CompileOptions,
  type RunEnv,
  type Script,
} from '../starlang/index.js';
import { workspaceModules } from './workspace-modules.js';

/** Nothing else of the server runs meanwhile, so a script gets less time than one of its own process. */
const LIMITS = { timeMs: 2_000 } as const;

/** The exchange whose script runs. Evaluation is synchronous, so one place is enough. */
let current: Exchange | null = null;

const functions = {
  header: (name: unknown): unknown => current?.headers.get(String(name)) ?? null,
  property: (name: unknown): unknown => current?.property(String(name)) ?? null,
};

/** What each name of a script stands for. Only the names that a script uses are looked up. */
const inputs: Readonly<Record<string, (exchange: Exchange) => unknown>> = {
  payload: (exchange) => exchange.body,
  attributes,
  headers: (exchange) => exchange.headers.toObject(),
  vars: (exchange) => Object.fromEntries(exchange.properties),
  args: (exchange) => exchange.args,
  session: (exchange) => exchange.session?.state ?? null,
  error: failure,
};

const INPUTS = Object.keys(inputs);

/**
 * Binds Starlang to the engine's exchanges. Steps put another body into an exchange and never change what is in one,
 * so that a large body is looked over once for all scripts that read it.
 */
export class StarlangLanguage implements ExpressionLanguage {
  private readonly modules: CompileOptions['modules'];

  /** @param env clock, random, uuid and files of every run; a clock that is absent means the real one */
  constructor(private readonly env: RunEnv = {}) {
    this.modules = env.readResource && workspaceModules(env.readResource);
  }

  compile(source: string, name = 'script'): Expression {
    const script = compiled(source, name, this.modules);
    const used = script.uses.filter((input) => Object.hasOwn(inputs, input));
    const isStructured = isJson(script.mimeType);
    return {
      source,
      mimeType: script.mimeType,
      evaluate: (exchange) => {
        const bindings: Record<string, unknown> = {};
        for (const input of used) bindings[input] = inputs[input]?.(exchange);
        const outer = current;
        current = exchange;
        try {
          const result = script.run(bindings, this.env);
          return isStructured ? toPlain(result.value) : result.text();
        } catch (thrown) {
          throw failed(thrown);
        } finally {
          current = outer;
        }
      },
    };
  }
}

/** Without a directive, and for JSON, the value itself goes on; every other format is text that a target can send. */
function isJson(mimeType: string | undefined): boolean {
  return mimeType === undefined || /^application\/(json|java|dw)\b/.test(mimeType);
}

function compiled(source: string, name: string, modules: CompileOptions['modules']): Script {
  try {
    return compile(source, { name, inputs: INPUTS, functions, modules, limits: LIMITS, keepsInputs: true });
  } catch (thrown) {
    if (!(thrown instanceof StarlangError)) throw thrown;
    const problems: readonly ExpressionProblem[] = thrown.problems.map(
      ({ message, hint, line, column, excerpt }) => ({
        message: hint === undefined ? message : `${message}; ${hint}`,
        line,
        column,
        excerpt,
      }),
    );
    throw new HelixError('EXPRESSION.INVALID_SCRIPT', thrown.message, {
      cause: thrown,
      details: { problems },
    });
  }
}

function failed(thrown: unknown): HelixError {
  if (thrown instanceof HelixError) return thrown;
  if (!(thrown instanceof StarlangError)) return HelixError.from(thrown, 'EXPRESSION.EVALUATION_FAILED');
  const code = thrown.kind === 'budget' ? 'EXPRESSION.BUDGET_EXCEEDED' : 'EXPRESSION.EVALUATION_FAILED';
  return new HelixError(code, thrown.message, { cause: thrown });
}

/** What the HTTP edge left of the request; elsewhere the headers alone. */
function attributes(exchange: Exchange): unknown {
  return (
    exchange.properties.get('attributes') ?? {
      method: null,
      queryParams: {},
      uriParams: {},
      headers: exchange.headers.toObject(),
    }
  );
}

/** The failure an error handler deals with, null elsewhere. `description` and `kind` are the peer language's words. */
function failure({ caught, failedAt }: Exchange): unknown {
  if (caught === null) return null;
  const { code, message, details } = caught;
  return {
    code: typeof details['code'] === 'string' ? details['code'] : code,
    kind: code,
    message,
    description: message,
    details,
    workflow: failedAt?.workflowId ?? null,
    step: failedAt?.stepId ?? null,
  };
}
