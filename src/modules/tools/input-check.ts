import { Injectable } from '@nestjs/common';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { JsonSchema } from '../../common/engine/api/workflow-directory.js';
import { pointerTo } from '../../common/platform/http/json/json-pointer.js';

const mostProblems = 20;

/** Checks the input of a call against the schema its tool is described by, before anything is stored. */
@Injectable()
export class InputCheck {
  /** By the schema itself, which lives as long as its tool. */
  readonly #compiled = new WeakMap<JsonSchema, ValidateFunction>();

  /** Problems with their place in the body of `callTool`; none where the input fits. Never a value. */
  problems(schema: JsonSchema, input: unknown): FieldProblem[] {
    const validate = this.#validatorOf(schema);
    if (validate(input)) return [];
    return (validate.errors ?? []).slice(0, mostProblems).map(problemOf);
  }

  #validatorOf(schema: JsonSchema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    // One Ajv for each schema: it would keep every schema it ever saw, and tools are reloaded.
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateFormats: true,
      messages: true,
      ownProperties: true,
    });
    (addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
    const made = ajv.compile(schema);
    this.#compiled.set(schema, made);
    return made;
  }
}

function problemOf({ instancePath, keyword, params, message }: ErrorObject): FieldProblem {
  const missing: unknown = params['missingProperty'];
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const name = typeof missing === 'string' ? missing : typeof extra === 'string' ? extra : undefined;
  return {
    path: `/input${instancePath}${name === undefined ? '' : pointerTo([name])}`,
    code: codes[keyword] ?? keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    message: sentences[keyword] ?? `The value ${message ?? 'does not fit'}.`,
  };
}

const codes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_property',
  unevaluatedProperties: 'unknown_property',
  enum: 'not_allowed',
  const: 'not_allowed',
};

const sentences: Readonly<Record<string, string>> = {
  required: 'This property is required.',
  additionalProperties: 'This property is not known to the tool.',
  unevaluatedProperties: 'This property is not known to the tool.',
  enum: 'The value must be one of those the schema lists.',
};
