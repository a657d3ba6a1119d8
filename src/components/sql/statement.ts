import { HelixError } from '../../common/engine/errors/helix-error.js';

/** A statement as the database takes it: `$1` and so on in the place of names. */
export interface Statement {
  readonly text: string;
  /** The name of `$1` first. A name that stands twice is one value. */
  readonly names: readonly string[];
}

/** What is no code, and so holds no names: strings, quoted names, dollar quotes, comments; and `::`, which is a cast. */
const quoted =
  /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[\s\S]*?\1|--[^\n]*|::/y;
const named = /:([A-Za-z_]\w*(?:\.[A-Za-z0-9_-]*\w)*)/y;
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const numbered = /\$\d/y;

/** Would change the connection for whoever uses it next, since connections are shared. */
const ofSession =
  /^(begin|start|commit|end|rollback|abort|savepoint|release|prepare|execute|deallocate|set|reset|discard|listen|unlisten|copy|declare|fetch|move|close|lock)$/i;

/**
 * Takes apart a statement with names such as `:id` and `:customer.name`.
 * @throws HelixError `WORKSPACE.WRONG_OPTION`
 */
export function parseStatement(sql: string): Statement {
  const names: string[] = [];
  let first: string | null = null;
  let isOver = false;
  let text = '';
  for (let at = 0; at < sql.length;) {
    const end = commentEnd(sql, at) ?? match(quoted, sql, at)?.end;
    if (end !== undefined) {
      text += sql.slice(at, end);
      if (isOver && !sql.startsWith('--', at) && !sql.startsWith('/*', at)) throw several();
      at = end;
      continue;
    }
    const char = sql[at] ?? '';
    if (isOver && !/\s/.test(char)) throw several();
    if (char === ';') isOver = true;
    if (match(numbered, sql, at)) throw wrong('values have names, such as :id, not numbers such as $1');
    const name = match(named, sql, at);
    if (name) {
      text += `$${numberOf(names, name.groups[1] ?? '')}`;
      at = name.end;
      continue;
    }
    const next = match(word, sql, at);
    if (next) first ??= sql.slice(at, next.end);
    const stop = next?.end ?? at + 1;
    text += sql.slice(at, stop);
    at = stop;
  }
  if (first === null) throw wrong('it is empty');
  if (ofSession.test(first)) {
    throw wrong(
      `${first.toUpperCase()} works on a connection, and connections are shared: write one statement that does it all`,
    );
  }
  return { text, names };
}

function numberOf(names: string[], name: string): number {
  const known = names.indexOf(name);
  return known >= 0 ? known + 1 : names.push(name);
}

/** Comments of PostgreSQL nest. */
function commentEnd(sql: string, start: number): number | undefined {
  if (!sql.startsWith('/*', start)) return undefined;
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    if (sql.startsWith('/*', at)) {
      depth++;
      at++;
    } else if (sql.startsWith('*/', at)) {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  return sql.length;
}

function match(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly end: number; readonly groups: readonly (string | undefined)[] } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? { end: pattern.lastIndex, groups: found } : null;
}

const several = (): HelixError => wrong('it is more than one statement');

function wrong(why: string): HelixError {
  return new HelixError('WORKSPACE.WRONG_OPTION', `The option "query" is wrong: ${why}.`, {
    details: { option: 'query' },
  });
}
