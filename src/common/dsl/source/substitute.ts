/** Where variables come from: given by the caller, so that a file, the API and a test are filled in the same way. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What the text around a variable is, so that a value cannot break out of its place. */
export type TextKind = 'text' | 'uri' | 'script';

export interface Substitution {
  readonly text: string;
  /** A variable's value (not a default of the file) is part of the text. */
  readonly secret: boolean;
  readonly used: boolean;
  /** What could not be filled in; `offset` counts in the text as written. */
  readonly problems: readonly { readonly offset: number; readonly message: string }[];
}

const reference = /\$(\$\{|\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?\}|\{)/g;

/**
 * Fills `${NAME}` and `${NAME:default}`; the default also stands in for an empty variable. `$${` is a literal `${`.
 *
 * In a URI a value is percent-encoded where it stands in the query, and keeps `?` and `#` out of the path; in a script
 * it is escaped as for a string literal. So a `&` or a quote in a secret is part of the secret and nothing else.
 */
export function substitute(written: string, variables: Variables, kind: TextKind = 'text'): Substitution {
  if (!written.includes('${')) return { text: written, secret: false, used: false, problems: [] };
  const problems: { offset: number; message: string }[] = [];
  const alone = /^\$\{[^}]*\}$/.test(written);
  const queryStart = written.indexOf('?');
  let [secret, used] = [false, false];
  const text = written.replace(
    reference,
    (
      whole: string,
      inner: string,
      name: string | undefined,
      fallback: string | undefined,
      offset: number,
    ) => {
      if (inner === '${') return '${';
      if (name === undefined) {
        problems.push({
          offset,
          message: 'A variable reads ${NAME} or ${NAME:default}; write $${ for a literal ${.',
        });
        return whole;
      }
      used = true;
      const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (given === undefined && fallback === undefined) {
        problems.push({
          offset,
          message: `The variable ${name} is not set: set it, or give a default with \${${name}:default}.`,
        });
        return '';
      }
      const fromVariable = given !== undefined && (given !== '' || fallback === undefined);
      if (fromVariable) secret = true;
      const value = fromVariable ? given : (fallback ?? '');
      if (alone || kind === 'text') return value;
      return kind === 'uri' ? inUri(value, queryStart >= 0 && offset > queryStart) : inScript(value);
    },
  );
  return { text, secret, used, problems };
}

/** The variables that a text names, each with the text before and after it. */
export function* variablesIn(written: string): Generator<{ name: string; before: string; after: string }> {
  for (const { 0: whole, 2: name, index } of written.matchAll(reference)) {
    if (name === undefined) continue;
    yield { name, before: written.slice(0, index), after: written.slice(index + whole.length) };
  }
}

function inUri(value: string, inQuery: boolean): string {
  return inQuery ? encodeURIComponent(value) : value.replace(/[?#]/g, encodeURIComponent);
}

function inScript(value: string): string {
  return value
    .replace(/[\\"'`$]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t');
}
