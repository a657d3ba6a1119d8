import { HelixError } from '../errors/helix-error.js';

/**
 * `scheme://path?name=value&…` taken apart. Options keep the text of the URI; a `parameters:` map adds to them and wins
 * no quarrel: the same option in both is an error. Two URIs with the same options in another order are the same.
 */
export class EndpointUri {
  private constructor(
    /** As written, secrets included: never print it, print {@link toString}. */
    readonly raw: string,
    readonly scheme: string,
    /** Between `://` and `?`, percent-decoding left to the component. */
    readonly path: string,
    readonly options: ReadonlyMap<string, unknown>,
    private readonly secretNames: ReadonlySet<string>,
    private readonly shownPath: string,
  ) {}

  /**
   * @param secrets names of options whose value came from a variable, so that they never show.
   * @param shownPath what to show in place of a path that holds a secret
   * @throws HelixError `WORKSPACE.INVALID`
   */
  static parse(
    text: string,
    parameters: Readonly<Record<string, unknown>> = {},
    secrets: ReadonlySet<string> = new Set(),
    shownPath?: string,
  ): EndpointUri {
    const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):(?:\/\/)?([^?]*)(?:\?(.*))?$/s.exec(text.trim());
    if (!match)
      throw new HelixError('WORKSPACE.INVALID', `"${text}" is no URI: write scheme://path?option=value.`);
    const [, scheme = '', path = '', query = ''] = match;
    const options = new Map<string, unknown>();
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals), text);
      const value = equals < 0 ? 'true' : decode(pair.slice(equals + 1), text);
      if (options.has(name))
        throw new HelixError('WORKSPACE.INVALID', `The option "${name}" stands twice in the URI.`);
      options.set(name, value);
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (options.has(name)) {
        throw new HelixError(
          'WORKSPACE.INVALID',
          `The option "${name}" stands in the URI and in parameters: keep one.`,
        );
      }
      options.set(name, value);
    }
    return new EndpointUri(text, scheme.toLowerCase(), path, options, secrets, shownPath ?? path);
  }

  /** Equal for URIs that mean the same endpoint, whatever the order of their options. */
  get identity(): string {
    const sorted = [...this.options]
      .map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    return `${this.scheme}://${this.path}?${JSON.stringify(sorted)}`;
  }

  /** For people: options that may be secret read `***`. */
  toString(): string {
    const shown = [...this.options].map(([name, value]) =>
      this.secretNames.has(name) || isSecretName(name) ? `${name}=***` : `${name}=${String(value)}`,
    );
    const path = this.shownPath.replace(/^[^/@]*:[^/@]*@/, '***@');
    return `${this.scheme}://${path}${shown.length > 0 ? `?${shown.join('&')}` : ''}`;
  }
}

/** Whether an option of this name holds what must not be shown; every option with `secret: true` is named so. */
export function isSecretName(name: string): boolean {
  return /key|token|secret|password|auth|bearer|headers|^env$/i.test(name);
}

function decode(part: string, whole: string): string {
  try {
    return decodeURIComponent(part.replace(/\+/g, '%20'));
  } catch {
    throw new HelixError('WORKSPACE.INVALID', `"${whole}" holds a broken percent-encoding: write % as %25.`);
  }
}
