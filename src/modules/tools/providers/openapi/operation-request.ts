import { isJsonType } from './import-document.js';
import type { Operation, Parameter } from './operation.js';

export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

type Sections = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/**
 * The request of an input that fits the operation's schema: values serialised by their styles (OpenAPI 3.1 §4.8.12.3),
 * everything in the address percent-encoded, so that no value reaches beyond its place.
 */
export function requestOf(operation: Operation, server: string, input: unknown): WireRequest {
  const sections = input as Sections;
  const given = (parameter: Parameter) => sections[parameter.section]?.[parameter.name];
  const of = (section: Parameter['section']) =>
    operation.parameters.filter(
      (parameter) => parameter.section === section && given(parameter) !== undefined,
    );
  let path = operation.path;
  for (const parameter of of('path'))
    path = path.replaceAll(`{${parameter.name}}`, () => inPath(parameter, given(parameter)));
  const url = new URL(`${operation.server ?? server}${path}`);
  for (const parameter of of('query'))
    for (const [name, value] of inQuery(parameter, given(parameter))) url.searchParams.append(name, value);
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' };
  for (const parameter of of('header'))
    headers[parameter.name.toLowerCase()] = joined(parameter, given(parameter), '=').join(',');
  const cookies = of('cookie').map(
    (parameter) =>
      `${parameter.name}=${encodeURIComponent(joined(parameter, given(parameter), ',').join(','))}`,
  );
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const body = bodyOf(operation, (input as { readonly body?: unknown }).body);
  if (body !== null && operation.body) headers['content-type'] = operation.body.mediaType;
  return { url, method: operation.method, headers, body };
}

function inPath(parameter: Parameter, value: unknown): string {
  const parts = joined(parameter, value, '=').map(encodeSegment);
  if (parameter.style === 'label') return `.${parts.join(parameter.explode ? '.' : ',')}`;
  if (parameter.style === 'matrix')
    return parameter.explode && typeof value === 'object'
      ? parts
          .map((part) => `;${Array.isArray(value) ? `${encodeSegment(parameter.name)}=${part}` : part}`)
          .join('')
      : `;${encodeSegment(parameter.name)}=${parts.join(',')}`;
  return parts.join(',');
}

/** Two dots would leave the folder that the path names. */
function encodeSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%2E') : encodeURIComponent(text);
}

function inQuery(parameter: Parameter, value: unknown): [string, string][] {
  const { name, style, explode } = parameter;
  if (parameter.isJson || typeof value !== 'object' || value === null)
    return [[name, scalar(parameter, value)]];
  if (style === 'deepObject')
    return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, text(one)]);
  if (Array.isArray(value)) {
    if (explode) return value.map((one) => [name, text(one)]);
    const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
    return [[name, value.map(text).join(separator)]];
  }
  if (explode) return Object.entries(value).map(([key, one]) => [key, text(one)]);
  return [
    [
      name,
      Object.entries(value)
        .flatMap(([key, one]) => [key, text(one)])
        .join(','),
    ],
  ];
}

/** The texts of a value that stand in one place, side by side: of an object its members, as pairs or alternating. */
function joined(parameter: Parameter, value: unknown, pair: string): string[] {
  if (parameter.isJson || typeof value !== 'object' || value === null) return [scalar(parameter, value)];
  if (Array.isArray(value)) return value.map(text);
  return Object.entries(value).flatMap(([key, one]) =>
    parameter.explode ? [`${key}${pair}${text(one)}`] : [key, text(one)],
  );
}

function scalar({ isJson }: Parameter, value: unknown): string {
  return isJson ? JSON.stringify(value) : text(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyOf({ body }: Operation, value: unknown): string | null {
  if (body === null || value === undefined) return null;
  if (isJsonType(body.mediaType)) return JSON.stringify(value);
  if (!/x-www-form-urlencoded/i.test(body.mediaType)) return text(value);
  const form = new URLSearchParams();
  for (const [name, one] of Object.entries(value as Record<string, unknown>))
    for (const item of Array.isArray(one) ? one : [one]) form.append(name, text(item));
  return form.toString();
}
