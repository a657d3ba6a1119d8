import { matchPattern, moreSpecific, type PathParams, type PathPattern } from './path-pattern.js';

/** What the table must know of a route. */
export interface Served {
  readonly pattern: PathPattern;
  readonly methods: readonly string[];
  /** Matches nothing any more. */
  readonly isGone?: boolean;
}

export interface Found<T> {
  readonly route: T;
  readonly params: PathParams;
  /** Null when the route serves the method; else what this path serves, and the route is the nearest one. */
  readonly allow: readonly string[] | null;
}

/** The routes of one listener, most specific first. */
export class RouteTable<T extends Served> {
  #routes: T[] = [];

  get all(): readonly T[] {
    return this.#routes;
  }

  add(route: T): void {
    this.#routes = [...this.#routes, route].sort((a, b) => moreSpecific(a.pattern, b.pattern));
  }

  remove(route: T): void {
    this.#routes = this.#routes.filter((other) => other !== route);
  }

  /** Routes that would answer the same requests. */
  rivals(route: Served): readonly T[] {
    return this.#routes.filter((other) => clash(other, route));
  }

  find(path: readonly string[], method: string): Found<T> | null {
    let nearest: { route: T; params: PathParams; allow: Set<string> } | undefined;
    for (const route of this.#routes) {
      const params = matchPattern(route.pattern, path);
      if (!params || route.isGone) continue;
      if (serves(route, method)) return { route, params, allow: null };
      nearest ??= { route, params, allow: new Set() };
      for (const name of allowed(route.methods)) nearest.allow.add(name);
    }
    return nearest ? { ...nearest, allow: [...nearest.allow] } : null;
  }
}

export function clash(a: Served, b: Served): boolean {
  return a.pattern.shape === b.pattern.shape && a.methods.some((method) => b.methods.includes(method));
}

function serves(route: Served, method: string): boolean {
  return route.methods.includes(method) || (method === 'HEAD' && route.methods.includes('GET'));
}

/** GET brings HEAD, and OPTIONS is answered everywhere (RFC 9110, 9.3). */
function allowed(methods: readonly string[]): readonly string[] {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}
