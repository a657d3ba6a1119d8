/** Says whether a name is meant. */
export type AddressPattern = (name: string) => boolean;

/** An exact name, a prefix `seda://*`, or a `/regular expression/`. @throws SyntaxError for a broken expression */
export function addressPattern(text: string): AddressPattern {
  const written = /^\/(.*)\/(i?)$/s.exec(text);
  if (written) {
    const regex = new RegExp(written[1] ?? '', written[2]);
    return (name) => regex.test(name);
  }
  if (text.endsWith('*')) {
    const prefix = text.slice(0, -1);
    return (name) => name.startsWith(prefix);
  }
  return (name) => name === text;
}

/** Whether one of the names is meant by one of the patterns; no pattern means all. */
export function matches(patterns: readonly AddressPattern[], names: readonly string[]): boolean {
  return patterns.length === 0 || names.some((name) => patterns.some((pattern) => pattern(name)));
}
