import { HelixError } from '../../common/engine/errors/helix-error.js';

/** A URI with `{name}` in place of what varies, each up to the next `/`, `?` or `#` (RFC 6570, level 1). */
export class UriTemplate {
  readonly names: readonly string[];
  readonly #literals: readonly string[];

  /** @throws HelixError `WORKSPACE.WRONG_OPTION` */
  constructor(readonly text: string) {
    const parts = text.split(/\{([^{}]*)\}/);
    this.#literals = parts.filter((_, index) => index % 2 === 0);
    this.names = parts.filter((_, index) => index % 2 === 1);
    const isSound =
      this.names.length > 0 &&
      this.names.every((name) => /^\w{1,64}$/.test(name)) &&
      new Set(this.names).size === this.names.length &&
      this.#literals.every((literal) => !/[{}]/.test(literal)) &&
      this.#literals.slice(1, -1).every((literal) => literal !== '') &&
      /^[a-z][a-z0-9+.-]*:/i.test(text);
    if (!isSound) {
      throw new HelixError(
        'WORKSPACE.WRONG_OPTION',
        `"${text}" is no template of a URI: write test://item/{id}, names of letters and digits, something between two.`,
        { details: { option: 'template' } },
      );
    }
  }

  /** What stands in place of the names, decoded; null where the URI is none of the template's. */
  match(uri: string): Readonly<Record<string, string>> | null {
    const found: [string, string][] = [];
    const [first = '', ...rest] = this.#literals;
    if (!uri.startsWith(first)) return null;
    let at = first.length;
    for (const [index, literal] of rest.entries()) {
      const end = literal === '' ? uri.length : uri.indexOf(literal, at);
      const value = end < 0 ? '' : uri.slice(at, end);
      if (value === '' || /[/?#]/.test(value)) return null;
      found.push([this.names[index] ?? '', decoded(value)]);
      at = end + literal.length;
    }
    return at === uri.length ? Object.fromEntries(found) : null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
