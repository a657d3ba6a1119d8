import { RE2JS } from 're2js';

interface Matcher {
  test(text: string): boolean;
  /** Ajv tells matchers apart by it. */
  toString(): string;
}

/**
 * `pattern` for text that comes from callers: matched in linear time, so that no argument can stall the server. A pattern
 * with look-around or back-references has no such form and is left to the author's judgement, as written.
 */
function make(pattern: string, flags: string): Matcher {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/linear` };
  } catch {
    return new RegExp(pattern, flags);
  }
}

/** In the shape Ajv takes; `code` is what it would write into a module of its own, which is never done here. */
export const linearRegExp = Object.assign(make, { code: 'linearRegExp' });
