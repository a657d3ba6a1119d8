import { isRecord } from '../../../../common/engine/model/is-record.js';
import type { JsonSchema } from '../../../../common/engine/api/workflow-directory.js';
import { HelixError } from '../../../../common/engine/errors/helix-error.js';
import { SchemaTranslator, UnusableReference } from './json-schema-of.js';
import type {
  Body,
  ImportedDocument,
  Operation,
  Parameter,
  Section,
  SecurityRequirement,
  SecurityScheme,
} from './operation.js';

type Json = Readonly<Record<string, unknown>>;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
const sections: ReadonlySet<string> = new Set(['path', 'query', 'header', 'cookie']);
/** Headers that the request has of itself (OpenAPI 3.1 §4.8.12). */
const ownHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);
const styles: Readonly<Record<Section, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};
const longestId = 64;

/** Something about one operation that keeps it from being called. */
class Unfit extends Error {}

/**
 * Reads an OpenAPI 3.0, 3.1 or 3.2 document. An operation that cannot be called is left out and told in `problems`;
 * nothing outside of the document is read, whatever it refers to.
 *
 * @throws HelixError `WORKSPACE.INVALID` where it is no such document
 */
export function importDocument(document: unknown): ImportedDocument {
  const version = isRecord(document) ? document['openapi'] : undefined;
  if (!isRecord(document) || typeof version !== 'string' || !/^3\.[0-2](?:\.|$)/.test(version)) {
    const found = isRecord(document) && 'swagger' in document ? 'This is Swagger 2.0: convert it first.' : '';
    throw new HelixError(
      'WORKSPACE.INVALID',
      `An OpenAPI document of version 3.0 to 3.2 is wanted. ${found}`.trim(),
    );
  }
  const reader = new DocumentReader(document, version.startsWith('3.0'));
  const { operations, problems } = reader.operations();
  const { title } = (isRecord(document['info']) ? document['info'] : {}) as { title?: unknown };
  return {
    title: typeof title === 'string' ? title : 'An API',
    server: serverOf(document['servers']),
    operations,
    schemes: reader.schemes(),
    problems,
  };
}

class DocumentReader {
  constructor(
    private readonly document: Json,
    private readonly isVersion30: boolean,
  ) {}

  operations(): { operations: Operation[]; problems: string[] } {
    const operations = new Map<string, Operation>();
    const problems: string[] = [];
    const { paths } = this.document;
    for (const [path, written] of Object.entries(isRecord(paths) ? paths : {})) {
      for (const method of methods) {
        try {
          const item = this.#resolve(written);
          const source = item[method];
          if (!isRecord(source)) continue;
          const operation = this.#operation(path, method, item, source);
          if (operations.has(operation.id))
            throw new Unfit(`its id "${operation.id}" is taken by another operation`);
          operations.set(operation.id, operation);
        } catch (thrown) {
          if (!(thrown instanceof Unfit || thrown instanceof UnusableReference)) throw thrown;
          problems.push(`${method.toUpperCase()} ${path}: ${thrown.message}`);
        }
      }
    }
    return { operations: [...operations.values()], problems };
  }

  schemes(): Record<string, SecurityScheme> {
    const { securitySchemes } = isRecord(this.document['components']) ? this.document['components'] : {};
    const entries = Object.entries(isRecord(securitySchemes) ? securitySchemes : {}).flatMap(
      ([name, written]) => {
        try {
          const scheme = schemeOf(this.#resolve(written));
          return scheme === null ? [] : [[name, scheme] as const];
        } catch {
          return [];
        }
      },
    );
    return Object.fromEntries(entries);
  }

  #operation(path: string, method: string, item: Json, source: Json): Operation {
    const schemas = new SchemaTranslator(this.document, this.isVersion30);
    const parameters = this.#parameters(item['parameters'], source['parameters'], schemas);
    for (const [, placeholder = ''] of path.matchAll(/\{([^}]+)\}/g))
      if (!parameters.some(({ section, name }) => section === 'path' && name === placeholder))
        throw new Unfit(`the placeholder {${placeholder}} of its path has no parameter`);
    const body = this.#body(source['requestBody'], schemas);
    const result = this.#result(source['responses'], schemas);
    const docs = source['externalDocs'];
    return {
      id: idOf(source['operationId'], method, path),
      method: method.toUpperCase(),
      path,
      server: serverOf(source['servers']) ?? serverOf(item['servers']),
      summary: textOf(source['summary']) ?? textOf(item['summary']),
      description: textOf(source['description']) ?? textOf(item['description']),
      isDeprecated: source['deprecated'] === true,
      parameters,
      body,
      result,
      defs: schemas.defs(),
      security: securityOf(source['security'] ?? this.document['security']),
      docsUrl: isRecord(docs) ? textOf(docs['url']) : null,
    };
  }

  /** The operation's parameters over the path's, told apart by place and name. */
  #parameters(ofPath: unknown, ofOperation: unknown, schemas: SchemaTranslator): Parameter[] {
    const found = new Map<string, Parameter>();
    for (const list of [ofPath, ofOperation])
      for (const written of Array.isArray(list) ? list : []) {
        const parameter = this.#parameter(this.#resolve(written), schemas);
        if (parameter !== null) found.set(`${parameter.section} ${parameter.name}`, parameter);
      }
    return [...found.values()];
  }

  #parameter(source: Json, schemas: SchemaTranslator): Parameter | null {
    const { in: section, name, required, style, explode, content, schema } = source;
    if (typeof name !== 'string' || typeof section !== 'string' || !sections.has(section))
      throw new Unfit('one of its parameters has no name or no place');
    if (section === 'header' && ownHeaders.has(name.toLowerCase())) return null;
    const [media] = Object.entries(isRecord(content) ? content : {});
    const chosen = typeof style === 'string' ? style : styles[section as Section];
    return {
      section: section as Section,
      name,
      isRequired: required === true || section === 'path',
      style: chosen,
      explode: typeof explode === 'boolean' ? explode : chosen === 'form',
      isJson: media !== undefined,
      schema: schemas.translate(media === undefined ? schema : (media[1] as Json | undefined)?.['schema']),
      description: textOf(source['description']),
    };
  }

  #body(written: unknown, schemas: SchemaTranslator): Body | null {
    if (written === undefined) return null;
    const source = this.#resolve(written);
    const content = isRecord(source['content']) ? source['content'] : {};
    const offered = Object.keys(content);
    const mediaType = offered.find(isJsonType) ?? offered.find(isSendable);
    if (mediaType === undefined) {
      if (offered.length === 0) return null;
      throw new Unfit(`its body must be ${offered.join(' or ')}, of which none can be made of JSON`);
    }
    const media = content[mediaType];
    return {
      mediaType,
      isRequired: source['required'] === true,
      schema: schemas.translate(isRecord(media) ? media['schema'] : undefined),
    };
  }

  #result(responses: unknown, schemas: SchemaTranslator): JsonSchema | null {
    if (!isRecord(responses)) return null;
    const status = Object.keys(responses).find((code) => /^2(?:\d\d|XX)$/i.test(code));
    if (status === undefined) return null;
    const { content } = this.#resolve(responses[status]);
    const media = Object.entries(isRecord(content) ? content : {}).find(([type]) => isJsonType(type))?.[1];
    if (!isRecord(media) || media['schema'] === undefined) return null;
    const schema = schemas.translate(media['schema']);
    return typeof schema === 'boolean' ? null : schema;
  }

  /** What a reference within the document leads to; through several, if need be. */
  #resolve(written: unknown, passed: readonly string[] = []): Json {
    if (!isRecord(written)) throw new Unfit('a part of it is not an object');
    const reference = written['$ref'];
    if (typeof reference !== 'string') return written;
    if (!reference.startsWith('#/'))
      throw new Unfit(`it refers to ${reference}: only references within the document are followed`);
    if (passed.includes(reference)) throw new Unfit(`the reference ${reference} leads back to itself`);
    let target: unknown = this.document;
    for (const part of reference.slice(2).split('/')) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    if (target === undefined) throw new Unfit(`the reference ${reference} leads nowhere`);
    return this.#resolve(target, [...passed, reference]);
  }
}

export function isJsonType(mediaType: string): boolean {
  return /^(?:application\/json|[^;]+\+json)\s*(?:;|$)/i.test(mediaType) || mediaType === '*/*';
}

function isSendable(mediaType: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|text\/[\w.+-]+)\s*(?:;|$)/i.test(mediaType);
}

function schemeOf({ type, in: section, name, scheme }: Json): SecurityScheme | null {
  if (
    type === 'apiKey' &&
    typeof name === 'string' &&
    (section === 'header' || section === 'query' || section === 'cookie')
  )
    return { kind: 'apiKey', section, name };
  if (type === 'http') return { kind: String(scheme).toLowerCase() === 'basic' ? 'basic' : 'bearer' };
  return type === 'oauth2' || type === 'openIdConnect' ? { kind: 'bearer' } : null;
}

function securityOf(written: unknown): SecurityRequirement[] {
  const list = Array.isArray(written) ? written.filter(isRecord) : [];
  // An empty requirement among others: the operation may be called without.
  return list.some((one) => Object.keys(one).length === 0) ? [] : list.map((one) => Object.keys(one));
}

function idOf(operationId: unknown, method: string, path: string): string {
  const isWritten = typeof operationId === 'string' && operationId.trim() !== '';
  const words = isWritten ? operationId : `${method} ${path.replaceAll(/[{}/]+/g, ' ')}`.trim();
  return words
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, longestId);
}

/** An absolute http(s) server with its variables' defaults filled in. */
function serverOf(servers: unknown): string | null {
  const [first] = Array.isArray(servers) ? servers : [];
  if (!isRecord(first) || typeof first['url'] !== 'string') return null;
  const variables = isRecord(first['variables']) ? first['variables'] : {};
  const url = first['url'].replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isRecord(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole;
  });
  return /^https?:\/\/[^{]+$/.test(url) ? url.replace(/\/+$/, '') : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
