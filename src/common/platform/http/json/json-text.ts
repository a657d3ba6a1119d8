import { HelixError, type FieldProblem } from '../../../engine/errors/helix-error.js';
import { pointerTo } from './json-pointer.js';

const deepest = 64;
const mostProblems = 20;
const longestPath = 512;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON (RFC 8259) so strictly that what was sent and what is stored cannot differ: UTF-8 without errors, no
 * member twice, no integer that a number cannot hold, no NUL and no lone surrogate, at most 64 levels. Own members
 * called `__proto__`, `constructor` and `prototype` are members like any other.
 * @throws HelixError `HTTP.VALIDATION_FAILED`; each field problem has a JSON Pointer and never a value
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const { problems, isTooDeep } = scan(text);
  // Before the parser, which takes a third of a second for a body of brackets.
  if (isTooDeep) throw validationFailed(problems);
  const value = parse(text);
  if (problems.length > 0) throw validationFailed(problems);
  return value;
}

/**
 * Where a member stands twice in its object, as a JSON Pointer; undefined where none does. For protocols that take any
 * JSON value but must not be read in two ways.
 * @param text JSON that was parsed, nested no deeper than `levels`
 */
export function duplicateMember(text: string, levels: number): string | undefined {
  return scan(text, levels, (code) => code === 'duplicate_member').problems[0]?.path;
}

/**
 * The error of a body, a field of it, or an argument that does not fit; the REST API answers it as ValidationError. The
 * first problems are told, and overlong places by what encloses them: names of the caller's own making, repeated for
 * every problem, would make an answer many times the size of the body.
 */
export function validationFailed(problems: readonly FieldProblem[]): HelixError {
  const fields = problems
    .slice(0, mostProblems)
    .map((problem) => ({ ...problem, path: enclosing(problem.path) }));
  const [first] = fields;
  const place = first?.path ? `${first.path}: ` : '';
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new HelixError(
    'HTTP.VALIDATION_FAILED',
    `The request body is invalid. ${place}${first?.message}${more}`,
    {
      fields,
    },
  );
}

/** The pointer itself, or that of the nearest thing around it that can be told in few words. */
function enclosing(pointer: string): string {
  return pointer.length <= longestPath ? pointer : pointer.slice(0, pointer.lastIndexOf('/', longestPath));
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

interface Scan {
  readonly problems: FieldProblem[];
  readonly isTooDeep: boolean;
}

/**
 * Walks strings, numbers, brackets, commas and colons; literals and white space do not matter here. A stack of levels
 * instead of recursion, and character codes instead of a pattern, whose memory a hostile text could exhaust. Of a text
 * that is no JSON it says nothing in particular: the parser refuses that.
 */
function scan(text: string, most = deepest, isAsked: (code: string) => boolean = () => true): Scan {
  const problems: FieldProblem[] = [];
  const levels: Level[] = [];
  let isName = false;
  const tell = (code: string, message: string) => {
    if (problems.length >= mostProblems || !isAsked(code)) return;
    const path = pointerTo(levels.map((level) => (level.names ? level.name : level.index)));
    problems.push({ path, code, message });
  };
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    const character = text[at];
    if (character === '{' || character === '[') {
      if (levels.length >= most) {
        tell('too_deep', `At most ${most} levels of objects and arrays are accepted.`);
        return { problems, isTooDeep: true };
      }
      isName = character === '{';
      levels.push({ names: isName ? new Set() : undefined, name: '', index: 0 });
    } else if (character === '}' || character === ']') {
      levels.pop();
      isName = false;
    } else if (character === ',') {
      if (level?.names) isName = true;
      else if (level) level.index++;
    } else if (character === ':') {
      isName = false;
    } else if (character === '"') {
      const end = endOfString(text, at);
      const said = unescape(text.slice(at, end));
      if (said === undefined) break;
      if (isName && level?.names) {
        level.name = said;
        if (level.names.has(said)) tell('duplicate_member', 'This member stands twice in its object.');
        level.names.add(said);
      }
      checkCharacters(said, tell);
      at = end - 1;
    } else if (isOfNumber(text.charCodeAt(at))) {
      const begin = at;
      while (at + 1 < text.length && isOfNumber(text.charCodeAt(at + 1))) at++;
      checkNumber(text.slice(begin, at + 1), tell);
    }
  }
  return { problems, isTooDeep: false };
}

/** Place behind the closing quote of the string that begins here; the end of the text where there is none. */
function endOfString(text: string, begin: number): number {
  for (let quote = text.indexOf('"', begin + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function unescape(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

/** Digits, and the signs, points and exponents between them; the letters of literals only cost a glance. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101
  );
}

function checkCharacters(text: string, tell: (code: string, message: string) => void): void {
  // Both can only come from escapes: raw ones are refused as JSON and as UTF-8.
  if (text.includes('\0')) tell('nul_character', 'The character U+0000 is not accepted.');
  if (/\p{Surrogate}/u.test(text)) tell('lone_surrogate', 'Half of a surrogate pair is not accepted.');
}

function checkNumber(text: string, tell: (code: string, message: string) => void): void {
  if (text.length < 16 && !/\de/i.test(text)) return;
  const value = Number(text);
  if (!Number.isFinite(value)) tell('number_range', 'The number is too large.');
  else if (!/e/i.test(text) && Number.isInteger(value) && !Number.isSafeInteger(value))
    tell('number_range', 'Whole numbers must lie within ±(2^53−1); send larger ones as strings.');
}
