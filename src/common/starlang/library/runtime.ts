import { Fault } from '../errors/fault.js';
import { allFormats } from '../formats/registry.js';
import type { Format } from '../formats/format.js';
import { machine } from '../runtime/machine.js';
import { truth } from '../runtime/operators.js';
import { bare, isObject, member } from '../values/objects.js';
import { requireText } from '../values/text.js';
import type { Value } from '../values/value.js';
import { fn, type Callback, type LibraryModule } from './define.js';

const NAMES: Readonly<Record<string, string>> = {
  type: 'TypeMismatchException',
  coercion: 'UnableToCoerceException',
  user: 'UserException',
  format: 'ReadException',
  budget: 'BudgetException',
  reference: 'ReferenceException',
};

/** What is left of a failure as a value. Budgets are not the script's to catch. */
function attempt(body: Callback): Value {
  const { depth } = machine;
  try {
    return { success: true, result: bare(body()) };
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'budget') throw error;
    machine.depth = depth;
    return {
      success: false,
      error: {
        kind: NAMES[error.kind] ?? error.kind,
        message: error.message,
        location: '',
        stack: error.trace.map(({ name }) => name),
      },
    };
  }
}

function succeeded(result: Value): Value | undefined {
  const value = bare(result);
  if (isObject(value) && member(value, 'success') === true) return member(value, 'result') ?? null;
  return undefined;
}

const fail = (message: Value): never => {
  throw new Fault('user', message === null ? 'Error' : requireText(message));
};

function describe({ mime, ids, options }: Format): Value {
  const of = (side: 'reader' | 'writer'): Value[] =>
    options
      .filter((option) => option.for === side || option.for === 'both')
      .map((option) => ({
        name: option.name,
        optional: true,
        defaultValue: option.default ?? null,
        description: option.sentence,
        possibleValues: option.type === 'boolean' ? [true, false] : [...(option.values ?? [])],
      }));
  return {
    id: ids[0] ?? mime,
    binary: mime === 'application/octet-stream',
    defaultEncoding: 'UTF-8',
    defaultMimeType: mime,
    acceptedMimeTypes: [mime, ...ids.filter((id) => id.includes('/'))],
    readerProperties: of('reader'),
    writerProperties: of('writer'),
  };
}

export const runtimeModule: LibraryModule = {
  name: 'dw::Runtime',
  functions: [
    fn(
      'try',
      'What the function gives, or the error it ends in, as {success, result | error}.',
      [
        ['try(() -> 1)', '{"success": true, "result": 1}'],
        ['try(() -> fail("no")).error.message', '"no"'],
      ],
      {
        '(delegate: () -> T): Object': attempt,
      },
    ),
    fn(
      'orElse',
      'The result of a try, or what the function gives when it failed.',
      [['try(() -> fail("no")) orElse 2', '2']],
      {
        '(previous: Object, orElse: () -> E): T | E': (previous: Value, otherwise: Callback) => {
          const found = succeeded(previous);
          return found === undefined ? otherwise() : found;
        },
      },
    ),
    fn(
      'orElseTry',
      'The try itself, or a try of the function when it failed.',
      [['(try(() -> fail("no")) orElseTry 2).result', '2']],
      {
        '(previous: Object, orElse: () -> E): Object': (previous: Value, otherwise: Callback) =>
          succeeded(previous) === undefined ? attempt(otherwise) : previous,
      },
    ),
    fn('fail', 'Ends the script with a message.', [['try(() -> fail("no")).success', 'false']], {
      '(message: String = "Error"): Nothing': (message?: string) => fail(message ?? 'Error'),
    }),
    fn(
      'failIf',
      'The value, or an end of the script when the condition holds for it.',
      [['failIf(1, (x) -> x > 1)', '1']],
      {
        '(value: Any, evaluator: (value: T) -> Boolean, message: String = "Failed"): T': (
          value: Value,
          test: Callback,
          message?: string,
        ) => (truth(test(value), 'The condition of failIf') ? fail(message ?? 'Failed') : value),
      },
    ),
    fn(
      'dataFormatsDescriptor',
      'The formats with their mime types and options.',
      [
        ['dataFormatsDescriptor()[0].id', '"json"'],
        ['dataFormatsDescriptor().defaultMimeType contains "application/xml"', 'true'],
      ],
      { '(): Array<Object>': () => allFormats().map(describe) },
    ),
    fn('version', 'The version of the peer language this one follows.', [['version()', '"2.10.0"']], {
      '(): String': () => '2.10.0',
    }),
  ],
};
