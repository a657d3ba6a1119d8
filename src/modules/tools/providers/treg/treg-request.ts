import type { TregEndpoint } from '../../../treg/index.js';

export interface TregRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly body: string | null;
}

/**
 * The request of an input that fits the tool's schema. Treg takes the values of placeholders in the path from the query
 * by their names, and encodes them itself.
 */
export function requestOf(endpoint: TregEndpoint, input: unknown): TregRequest {
  const { path, query, body } = input as Readonly<
    Record<string, Readonly<Record<string, unknown>> | undefined>
  >;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...path }))
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, textOf(one));
  const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'HEAD';
  return {
    method: endpoint.method,
    query: parameters,
    body: hasBody && body !== undefined ? JSON.stringify(body) : null,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
