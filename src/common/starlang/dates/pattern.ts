import { coercionFault } from '../errors/fault.js';

/** One field of a Java date pattern, a literal, or an optional section. */
export type PatternPart =
  | { kind: 'field'; letter: string; count: number }
  | { kind: 'text'; text: string }
  | { kind: 'optional'; parts: PatternPart[] };

const LETTERS = 'GuyYDMLdQqwWEecaBhHkKmsSAnNVvzOXxZF';
const cache = new Map<string, PatternPart[]>();
const MOST_CACHED = 500;

/** Reads a pattern such as `uuuu-MM-dd'T'HH:mm[:ss]`. */
export function readPattern(pattern: string): PatternPart[] {
  const known = cache.get(pattern);
  if (known) return known;
  const stack: PatternPart[][] = [[]];
  const push = (part: PatternPart): void => {
    const list = stack.at(-1) as PatternPart[];
    const last = list.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') last.text += part.text;
    else list.push(part);
  };
  for (let at = 0; at < pattern.length;) {
    const c = pattern[at] as string;
    if (c === "'") {
      const [text, end] = quoted(pattern, at);
      push({ kind: 'text', text });
      at = end;
    } else if (c === '[') {
      stack.push([]);
      at++;
    } else if (c === ']' && stack.length > 1) {
      const parts = stack.pop() as PatternPart[];
      push({ kind: 'optional', parts });
      at++;
    } else if (LETTERS.includes(c)) {
      let end = at + 1;
      while (pattern[end] === c) end++;
      push({ kind: 'field', letter: c, count: end - at });
      at = end;
    } else if (/[A-Za-z]/.test(c)) {
      throw coercionFault(`"${c}" means nothing in the date pattern "${pattern}"`, "quote literal text: 'T'");
    } else {
      push({ kind: 'text', text: c });
      at++;
    }
  }
  while (stack.length > 1) {
    const parts = stack.pop() as PatternPart[];
    (stack.at(-1) as PatternPart[]).push({ kind: 'optional', parts });
  }
  const parts = stack[0] as PatternPart[];
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(pattern, parts);
  return parts;
}

function quoted(pattern: string, at: number): [string, number] {
  if (pattern[at + 1] === "'") return ["'", at + 2];
  let text = '';
  for (let i = at + 1; i < pattern.length; i++) {
    if (pattern[i] !== "'") text += pattern[i];
    else if (pattern[i + 1] === "'") {
      text += "'";
      i++;
    } else return [text, i + 1];
  }
  return [text, pattern.length];
}
