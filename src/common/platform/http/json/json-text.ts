import { HelixError, type FieldProblem } from '../../../engine/errors/helix-error.js';
import { pointerTo } from './json-pointer.js';

const deepest = 64;
const mostProblems = 20;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON (RFC 8259) so strictly that what was sent and what is stored cannot differ: UTF-8 without errors, no
 * member twice, no integer that a number cannot hold, no NUL and no lone surrogate, at most 64 levels. Own members
 * called `__proto__`, `constructor` and `prototype` are members like any other.
 * @throws HelixError `HTTP.VALIDATION_FAILED`; each field problem has a JSON Pointer and never a value
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const value = parse(text);
  const problems = scan(text);
  if (problems.length > 0) throw validationFailed(problems);
  return value;
}

/** The error of a body, a field of it, or an argument that does not fit; the REST API answers it as ValidationError. */
export function validationFailed(fields: readonly FieldProblem[]): HelixError {
  const [first] = fields;
  const place = first?.path ? `${first.path}: ` : '';
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : '';
  return new HelixError(
    'HTTP.VALIDATION_FAILED',
    `The request body is invalid. ${place}${first?.message}${more}`,
    {
      fields,
    },
  );
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw validationFailed([{ path: '', code: 'encoding', message: 'Send the body as UTF-8; this is not.' }]);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message quotes the text around the fault.
    throw validationFailed([{ path: '', code: 'syntax', message: 'Send valid JSON; this is not.' }]);
  }
}

interface Level {
  /** Member names met so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  name: string;
  index: number;
}

/** Token: a string, a number, or a bracket, comma or colon. Literals and white space do not matter here. */
const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]/g;

/** Walks the tokens of a text that is known to be JSON; a stack of levels instead of recursion. */
function scan(text: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const levels: Level[] = [];
  let isName = false;
  const tell = (code: string, message: string) => {
    if (problems.length >= mostProblems) return;
    const path = pointerTo(levels.map((level) => (level.names ? level.name : level.index)));
    problems.push({ path, code, message });
  };
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1);
    switch (part[0]) {
      case '{':
      case '[':
        if (levels.length >= deepest) {
          tell('too_deep', `At most ${deepest} levels of objects and arrays are accepted.`);
          return problems;
        }
        isName = part === '{';
        levels.push({ names: isName ? new Set() : undefined, name: '', index: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        isName = false;
        break;
      case ',':
        if (level?.names) isName = true;
        else if (level) level.index++;
        break;
      case ':':
        isName = false;
        break;
      case '"': {
        const said = part.includes('\\') ? (JSON.parse(part) as string) : part.slice(1, -1);
        if (isName && level?.names) {
          level.name = said;
          if (level.names.has(said)) tell('duplicate_member', 'This member stands twice in its object.');
          level.names.add(said);
        }
        if (part.includes('\\u')) checkCharacters(said, tell);
        break;
      }
      default:
        checkNumber(part, tell);
    }
  }
  return problems;
}

function checkCharacters(text: string, tell: (code: string, message: string) => void): void {
  if (text.includes('\0')) tell('nul_character', 'The character U+0000 is not accepted.');
  if (/\p{Surrogate}/u.test(text)) tell('lone_surrogate', 'Half of a surrogate pair is not accepted.');
}

function checkNumber(text: string, tell: (code: string, message: string) => void): void {
  if (text.length < 16 && !/e/i.test(text)) return;
  const value = Number(text);
  if (!Number.isFinite(value)) tell('number_range', 'The number is too large.');
  else if (!/e/i.test(text) && Number.isInteger(value) && !Number.isSafeInteger(value))
    tell('number_range', 'Whole numbers must lie within ±(2^53−1); send larger ones as strings.');
}
