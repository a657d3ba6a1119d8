import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import type { FieldProblem } from '../../engine/errors/helix-error.js';
import { JsonSchemaValidator } from './json-schema-validator.js';
import { OverTime, withinMs } from './watchdog.js';

/** Milliseconds of the main thread that a schema may take: ordinary ones take one or two to compile, and none to check. */
const compileMs = 500;
const checkMs = 250;
const dialects = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'];

/**
 * Validates by schemas that strangers wrote. Neither reading one nor checking by it takes longer than its time, and what
 * once took too long is not tried again.
 */
export class ForeignSchemaValidator {
  #made: JsonSchemaValidator | null = null;
  readonly #refused = new WeakSet<JsonSchema>();

  /** @throws Error with what is wrong with the schema */
  accept(schema: JsonSchema): void {
    this.#bounded(schema, compileMs, (validator) => validator.compile(schema)(null));
  }

  /** What is wrong with the value; a schema that cannot be checked by lets nothing pass. */
  check(schema: JsonSchema, value: unknown): readonly FieldProblem[] {
    if (!this.#refused.has(schema)) {
      try {
        return this.#bounded(schema, checkMs, (validator) => validator.compile(schema)(value));
      } catch (thrown) {
        if (!(thrown instanceof OverTime)) throw thrown;
      }
    }
    return [{ path: '', code: 'schema', message: 'cannot be checked: the tool’s schema takes too long' }];
  }

  #bounded<T>(schema: JsonSchema, ms: number, work: (validator: JsonSchemaValidator) => T): T {
    const validator = (this.#made ??= warmValidator());
    try {
      return withinMs(ms, () => work(validator));
    } catch (thrown) {
      if (thrown instanceof OverTime) {
        this.#refused.add(schema);
        this.#made = null;
      }
      throw thrown;
    }
  }
}

/** With the schemas of schemas compiled, which would else be charged to the first stranger. */
function warmValidator(): JsonSchemaValidator {
  const validator = new JsonSchemaValidator();
  for (const $schema of dialects) validator.compile({ $schema, type: 'object' })(null);
  return validator;
}
