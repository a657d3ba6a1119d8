import { HelixError } from '../../common/engine/errors/helix-error.js';
import { isReservedHeader } from '../../common/engine/model/message-headers.js';

/** A segment is fixed text or, as `{ name }`, whatever stands there. */
type Segment = string | { readonly name: string };

/** `/orders/{id}` taken apart. With `prefix` it also covers every path below. */
export interface PathPattern {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly prefix: boolean;
  /** Equal for patterns that match the same paths, whatever their parameters are called. */
  readonly shape: string;
}

export type PathParams = Readonly<Record<string, string>>;

/** @throws HelixError `WORKSPACE.INVALID` */
export function parsePattern(text: string, prefix: boolean): PathPattern {
  const names = new Set<string>();
  const segments = split(text).map((segment): Segment => {
    const name = /^\{([A-Za-z_][A-Za-z0-9_-]*)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      if (/[{}]/.test(segment)) throw wrong(text, 'a parameter is a whole segment such as {id}');
      return decodeSegment(segment) ?? segment;
    }
    if (names.has(name)) throw wrong(text, `the parameter {${name}} stands twice`);
    if (isReservedHeader(name)) throw wrong(text, 'names that begin with "Helix" are reserved');
    if (prefix && name === 'rest') throw wrong(text, '{rest} is what match-prefix calls the remaining path');
    names.add(name);
    return { name };
  });
  const shape = `${prefix ? 'below ' : ''}/${segments.map((part) => (typeof part === 'string' ? part : '{}')).join('/')}`;
  return { text, segments, prefix, shape };
}

/** The parameters when the pattern covers the path, else null. A prefix puts the remaining path into `rest`. */
export function matchPattern(pattern: PathPattern, path: readonly string[]): PathParams | null {
  const { segments, prefix } = pattern;
  if (prefix ? path.length < segments.length : path.length !== segments.length) return null;
  const params: [string, string][] = [];
  let index = 0;
  for (const segment of segments) {
    const given = path[index++] ?? '';
    if (typeof segment !== 'string') {
      if (given === '') return null;
      params.push([segment.name, given]);
    } else if (segment !== given) return null;
  }
  if (prefix) params.push(['rest', path.slice(segments.length).join('/')]);
  return params.length > 0 ? Object.fromEntries(params) : none;
}

/** The decoded segments of a request path; null for a broken percent-encoding. One trailing slash is overlooked. */
export function splitPath(path: string): readonly string[] | null {
  const segments = split(path);
  if (!path.includes('%')) return segments;
  const decoded = segments.map(decodeSegment);
  return decoded.every((segment) => segment !== null) ? decoded : null;
}

/** Exact beats template beats prefix; among templates, the one that is fixed further to the left. */
export function moreSpecific(a: PathPattern, b: PathPattern): number {
  if (a.prefix !== b.prefix) return a.prefix ? 1 : -1;
  if (a.prefix && a.segments.length !== b.segments.length) return b.segments.length - a.segments.length;
  for (const [index, segment] of a.segments.entries()) {
    const aFixed = typeof segment === 'string';
    const bFixed = typeof b.segments[index] === 'string';
    if (aFixed !== bFixed) return aFixed ? -1 : 1;
  }
  return 0;
}

const none: PathParams = Object.freeze({});

function split(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return trimmed === '' ? [] : trimmed.split('/');
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function wrong(text: string, reason: string): HelixError {
  return new HelixError('WORKSPACE.INVALID', `The path "${text}" cannot be served: ${reason}.`);
}
