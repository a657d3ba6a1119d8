import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { SchemaValidator } from '../../engine/api/ports.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import { HelixError, type FieldProblem } from '../../engine/errors/helix-error.js';
import { linearRegExp } from './linear-reg-exp.js';

/** Beyond this many characters of arguments only the first problem is looked for: thousands would help nobody. */
const largestForAllProblems = 65_536;

/** Schemas may hold keywords for others (`x-…`, `example`), so unknown ones are no error. */
const options: Options = {
  strict: false,
  validateFormats: true,
  addUsedSchema: false,
  messages: true,
  code: { regExp: linearRegExp },
  logger: false,
};

type Check = (value: unknown) => readonly FieldProblem[];
type AnyAjv = Pick<Ajv, 'compile'>;

function engineOf(AjvClass: typeof Ajv | typeof Ajv2020, allErrors: boolean): AnyAjv {
  const ajv = new AjvClass({ ...options, allErrors });
  formats.default(ajv);
  return ajv;
}

/**
 * JSON Schema 2020-12, and draft 07 where a schema says it is written in that. Each schema is compiled once. A `$ref` to
 * another document is refused: nothing is fetched.
 */
export class JsonSchemaValidator implements SchemaValidator {
  readonly #engines = new Map<string, AnyAjv>();
  readonly #checks = new WeakMap<JsonSchema, Check>();

  compile(schema: JsonSchema): Check {
    let check = this.#checks.get(schema);
    if (!check) this.#checks.set(schema, (check = this.#check(schema)));
    return check;
  }

  /** Nearly all arguments fit, so the quick validator goes first and the thorough one is made when it is needed. */
  #check(schema: JsonSchema): Check {
    const quick = this.#validator(schema, false);
    let thorough: ValidateFunction | undefined;
    return (args) => {
      if (quick(args)) return [];
      const first = quick.errors ?? [];
      if (JSON.stringify(args).length > largestForAllProblems) return first.map(problemOf);
      thorough ??= this.#validator(schema, true);
      thorough(args);
      return problemsOf(thorough.errors ?? first);
    };
  }

  #validator(schema: JsonSchema, allErrors: boolean): ValidateFunction {
    const { $schema } = schema;
    const isDraft07 = typeof $schema === 'string' && $schema.includes('draft-07');
    const key = `${isDraft07 ? 'draft-07' : '2020-12'} ${allErrors}`;
    let engine = this.#engines.get(key);
    if (!engine) this.#engines.set(key, (engine = engineOf(isDraft07 ? Ajv : Ajv2020, allErrors)));
    try {
      return engine.compile(schema);
    } catch (cause) {
      throw new HelixError('WORKSPACE.INVALID', cause instanceof Error ? cause.message : String(cause), {
        cause,
      });
    }
  }
}

/** `anyOf` and `oneOf` report each branch and then themselves: the branches say enough. */
function problemsOf(errors: readonly ErrorObject[]): FieldProblem[] {
  const said = errors.filter(({ keyword }) => keyword !== 'if');
  const seen = new Set<string>();
  return said.map(problemOf).filter(({ path, message }) => {
    const key = `${path} ${message}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

/** Values never show: arguments may hold secrets. What the schema allows does. */
function problemOf(error: ErrorObject): FieldProblem {
  const { instancePath: path, keyword } = error;
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'enum':
      return { path, code: keyword, message: `must be one of ${shown(params['allowedValues'])}` };
    case 'const':
      return { path, code: keyword, message: `must be ${shown([params['allowedValue']])}` };
    case 'required':
      return { path: child(path, params['missingProperty']), code: keyword, message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
      return { path: child(path, name), code: keyword, message: 'is not an argument this tool has' };
    }
    default:
      return { path, code: keyword, message: error.message ?? `breaks "${keyword}"` };
  }
}

function shown(values: unknown): string {
  const texts = (Array.isArray(values) ? values : []).slice(0, 20).map((value) => JSON.stringify(value));
  return texts.join(', ').slice(0, 500);
}

/** JSON Pointer (RFC 6901). */
function child(path: string, name: unknown): string {
  return `${path}/${String(name).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
