import type { ExpressionLanguage } from '../../common/engine/api/expression.js';
import type { SchemaValidator } from '../../common/engine/api/ports.js';
import { HelixError, type FieldProblem } from '../../common/engine/errors/helix-error.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { isolate } from '../../common/engine/model/isolate.js';
import type { ToolDefinition } from '../../common/engine/model/tool-definition.js';
import { decodeArguments } from './decode-arguments.js';
import { compileRule, judge, type CompiledRule } from './tool-rules.js';
import { violations, withDefaults } from './validate-arguments.js';

/** A check beyond the tool's own: the `input-schema` of the workflow behind it. */
export type FurtherCheck = (args: unknown) => readonly FieldProblem[];

/** A registered tool: its definition and the checks made from it. */
export class Tool {
  readonly #rules: readonly CompiledRule[];
  readonly #schema: ((value: unknown) => readonly FieldProblem[]) | null;

  /** @throws HelixError `EXPRESSION.INVALID_SCRIPT` for a rule; Error for a schema that is none */
  constructor(
    readonly definition: ToolDefinition,
    language: ExpressionLanguage,
    validator: SchemaValidator | null,
  ) {
    const { id, rules, inputSchema } = definition;
    this.#rules = rules.map((rule) => compileRule(id, rule, language));
    if (inputSchema !== null && validator === null) {
      throw new HelixError('WORKSPACE.INVALID', `The input-schema of tool://${id} cannot be checked here.`);
    }
    this.#schema = inputSchema === null ? null : (validator?.compile(inputSchema) ?? null);
  }

  /**
   * Takes the arguments out of the body, checks them and makes them the body and the `args` of the exchange.
   * @throws HelixError `TOOL.INVALID_ARGUMENTS`, `TOOL.RULE_VIOLATED`
   */
  admit(exchange: Exchange, also: FurtherCheck): void {
    const { id, description } = this.definition;
    exchange.headers.set('HelixToolID', id);
    exchange.headers.set('HelixToolDescription', description ?? '');
    const args = this.#complete(exchange.body);
    this.#refuse('TOOL.INVALID_ARGUMENTS', this.#mistakes(args, also));
    exchange.body = args;
    exchange.args = isolate(args);
    this.#refuse('TOOL.RULE_VIOLATED', this.#brokenRules(exchange));
  }

  /** What {@link admit} would refuse the arguments for; nothing is run. */
  problems(given: unknown, also: FurtherCheck): readonly FieldProblem[] {
    const args = this.#complete(given);
    const mistakes = this.#mistakes(args, also);
    if (mistakes.length > 0) return mistakes;
    const trial = new Exchange({ id: 'check', body: args });
    trial.args = args;
    return this.#brokenRules(trial);
  }

  #complete(given: unknown): Record<string, unknown> {
    return withDefaults(decodeArguments(given), this.definition.input);
  }

  #mistakes(args: Record<string, unknown>, also: FurtherCheck): readonly FieldProblem[] {
    const { input, validateSchema } = this.definition;
    if (!validateSchema) return also(args);
    const found = violations(args, input);
    if (found.length > 0) return found;
    const bySchema = this.#schema?.(args) ?? [];
    return bySchema.length > 0 ? bySchema : also(args);
  }

  #brokenRules(exchange: Exchange): readonly FieldProblem[] {
    return this.#rules.flatMap((rule) => judge(rule, exchange) ?? []);
  }

  #refuse(code: 'TOOL.INVALID_ARGUMENTS' | 'TOOL.RULE_VIOLATED', problems: readonly FieldProblem[]): void {
    const [first] = problems;
    if (!first) return;
    const { id } = this.definition;
    const where = code === 'TOOL.INVALID_ARGUMENTS' && first.path !== '' ? `${first.path} ` : '';
    throw new HelixError(
      code,
      `tool ${JSON.stringify(id)} input validation failed: ${where}${first.message}`,
      {
        details: { tool: id },
        fields: problems,
      },
    );
  }
}
