import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface OpenApiHeader {
  readonly required?: boolean;
  readonly schema?: object;
}
export interface OpenApiResponse {
  content?: Record<string, { schema: object }>;
  headers?: Record<string, OpenApiHeader | { readonly $ref: string }>;
}
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: object;
}
export interface OpenApiOperation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Record<string, { schema: object; example?: unknown }> };
  readonly responses: Record<string, OpenApiResponse>;
}
export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, OpenApiOperation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly headers: Record<string, OpenApiHeader>;
  };
}

/** One request and its answer, as they were on the wire. */
export interface Exchanged {
  readonly method: string;
  /** With the query; begins with `/`. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Of HTTP itself and of browsers; every other header of an answer must be in the document. */
const plainHeaders = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-frame-options',
]);
/** Below it all that answers is an operation. */
const base = '/v1/api';

/** What an OpenAPI 3.1 document says of answers, and where an answer differs from it. */
export class DocumentedApi {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #checks = new Map<object, ValidateFunction>();
  readonly #routes: { readonly template: RegExp; readonly literals: number; readonly path: string }[];

  constructor(readonly document: OpenApiDocument) {
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'urn:helix:document', components: closed(document.components) });
    this.#routes = Object.keys(document.paths)
      .map((path) => ({ path, template: templateOf(path), literals: path.split('/{').length }))
      .toSorted((one, other) => one.literals - other.literals);
  }

  /** The operation that a request is meant for, HEAD being served by GET; undefined where there is none. */
  operation(method: string, path: string): OpenApiOperation | undefined {
    const [address = ''] = path.split('?');
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const routes = this.#routes.filter(({ template }) => template.test(address));
    return routes.map((route) => this.document.paths[route.path]?.[verb]).find(Boolean);
  }

  /** Sentences on what the answer has, lacks or says otherwise than the document; empty where it is as documented. */
  differences(exchanged: Exchanged): string[] {
    const { method, path, status } = exchanged;
    const operation = this.operation(method, path);
    if (operation === undefined) {
      const isFound = path.startsWith(base) && status < 400;
      return isFound ? [`${method} ${path} is no operation of the document and answered ${status}`] : [];
    }
    const response = operation.responses[String(status)];
    const found =
      response === undefined
        ? [`status ${status} is not documented: ${exchanged.text.slice(0, 200)}`]
        : [...this.#ofBody(response, exchanged), ...this.#ofHeaders(response, exchanged)];
    return found.map((text) => `${operation.operationId} (${method} ${path} → ${status}): ${text}`);
  }

  /** Compiles a schema of the document, for answers: members that it does not name are refused. */
  check(schema: object): ValidateFunction {
    let check = this.#checks.get(schema);
    if (check === undefined) {
      check = this.#ajv.compile(elsewhere(closed(schema)));
      this.#checks.set(schema, check);
    }
    return check;
  }

  *#ofBody({ content }: OpenApiResponse, { method, headers, text }: Exchanged): Iterable<string> {
    const type = headers.get('content-type')?.split(';')[0];
    if (content === undefined) {
      if (text !== '') yield `a body is not documented: ${text.slice(0, 200)}`;
      return;
    }
    const media = content[type ?? ''];
    if (media === undefined) yield `content type ${type ?? 'none'} is not documented`;
    if (media === undefined || method === 'HEAD') return;
    const isJson = type === 'application/json';
    const value = isJson ? readJson(text) : text;
    if (value === undefined) yield `the body is no JSON: ${text.slice(0, 200)}`;
    const check = this.check(media.schema);
    if (!check(value))
      for (const { instancePath, message, params } of check.errors ?? [])
        yield `body at "${instancePath}" ${message} ${JSON.stringify(params)}`;
  }

  *#ofHeaders({ headers: documented = {} }: OpenApiResponse, { headers }: Exchanged): Iterable<string> {
    const known = new Map(Object.entries(documented).map(([name, told]) => [name.toLowerCase(), told]));
    for (const name of new Set(headers.keys()))
      if (!plainHeaders.has(name) && !known.has(name)) yield `header ${name} is not documented`;
    for (const [name, told] of known) {
      const { required = false, schema } = '$ref' in told ? this.#header(told.$ref) : told;
      const value = headers.get(name);
      const fits: boolean = value === null ? !required : this.check(schema ?? {})(value);
      if (!fits) yield value === null ? `header ${name} is missing` : `header ${name} does not fit: ${value}`;
    }
  }

  #header(reference: string): OpenApiHeader {
    const told = this.document.components.headers[reference.split('/').at(-1) ?? ''];
    if (told === undefined) throw new Error(`The document has no ${reference}.`);
    return told;
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** As the router reads addresses: without regard to case, with or without a slash at the end. */
function templateOf(path: string): RegExp {
  const parts = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.+*?()|[\]\\^$]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}/?$`, 'i');
}

/** Objects with named members take no others: what the document does not name is a difference. */
function closed<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed) as T;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isOpen = 'properties' in members && members['type'] === 'object' && !('allOf' in members);
  return { ...(isOpen && { additionalProperties: false }), ...members } as T;
}

function elsewhere(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"urn:helix:document#/components/'),
  ) as object;
}
