import { dirname, resolve } from 'node:path';
import { readShape } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type MapEntry, type ScalarNode, type SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';
import { catalogueShape } from './catalogue-shape.js';

export type CatalogueCredential = string | { readonly username: string; readonly password: string };

/** A foreign API whose operations are tools of the catalogue. */
export interface CatalogueSource {
  readonly name: string;
  /** The document: an absolute path, or an http(s) address. */
  readonly openapi: string;
  readonly server: string | null;
  /** By the name of a security scheme. They are secrets. */
  readonly auth: Readonly<Record<string, CatalogueCredential>>;
  /** By lower-case name; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const nameForm = /^[A-Za-z0-9_-]{1,32}$/;
/** What a header may hold (RFC 9110 §5.5), without line ends. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The sources of a workspace's section `catalogue`, by name. What is wrong is reported and left out. */
export function readCatalogue(
  sections: readonly SourceNode[],
  reader: FieldReader,
): readonly CatalogueSource[] {
  const found = new Map<string, CatalogueSource>();
  for (const section of sections) {
    if (section.kind === 'scalar' && section.value === null) continue;
    if (section.kind !== 'map') {
      wrongValue(reader, section.place, 'catalogue is a map from a name to a source of tools.');
      continue;
    }
    for (const written of section.entries) {
      const source = readSource(written, reader);
      if (source === null) continue;
      if (found.has(source.name))
        reader.problem({
          severity: 'error',
          rule: 'duplicate-id',
          message: `The source "${source.name}" stands twice: choose another name.`,
          place: written.place,
        });
      found.set(source.name, source);
    }
  }
  return [...found.values()];
}

function readSource({ key: name, value, place }: MapEntry, reader: FieldReader): CatalogueSource | null {
  if (!nameForm.test(name)) {
    wrongValue(reader, place, 'The name of a source has 1 to 32 letters, digits, _ or -.');
    return null;
  }
  const values = readShape(value, catalogueShape, reader);
  if (values.openapi === '') return null;
  const isRemote = /^https?:\/\//i.test(values.openapi);
  if (values.server !== null && !/^https?:\/\/\S+$/i.test(values.server))
    wrongValue(reader, value.place, 'server must be an http(s) address.');
  return {
    name,
    openapi: isRemote ? values.openapi : resolve(dirname(value.place.file), values.openapi),
    server: values.server?.replace(/\/+$/, '') ?? null,
    auth: readAuth(values.auth, reader),
    headers: readHeaders(values.headers, reader),
    include: values.include,
    exclude: values.exclude,
  };
}

function readAuth(source: SourceNode | null, reader: FieldReader): Record<string, CatalogueCredential> {
  const credentials: Record<string, CatalogueCredential> = {};
  for (const { key, value, place } of entriesOf(source)) {
    const [username, password] = [textOf(value, 'username'), textOf(value, 'password')];
    if (value.kind === 'scalar' && isText(value)) credentials[key] = String(value.value);
    else if (username !== null && password !== null) credentials[key] = { username, password };
    else wrongValue(reader, place, `${key} must be a key or a token, or a map with username and password.`);
    if (!isFromVariable(value))
      reader.problem({
        severity: 'warning',
        rule: 'written-secret',
        message: `The credential for "${key}" stands in the file: take it from a variable.`,
        place,
      });
  }
  return credentials;
}

function readHeaders(source: SourceNode | null, reader: FieldReader): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { key, value, place } of entriesOf(source)) {
    const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key);
    if (isName && value.kind === 'scalar' && isText(value) && headerValue.test(String(value.value)))
      headers[key.toLowerCase()] = String(value.value);
    else wrongValue(reader, place, `"${key}" must be the name of a header with text in one line.`);
  }
  return headers;
}

function textOf(source: SourceNode, key: string): string | null {
  const found = source.kind === 'map' ? entry(source, key) : undefined;
  return found?.kind === 'scalar' && isText(found) ? String(found.value) : null;
}

function entriesOf(source: SourceNode | null): readonly MapEntry[] {
  return source?.kind === 'map' ? source.entries : [];
}

function isText({ value }: ScalarNode): boolean {
  return value !== null && value !== '';
}

function isFromVariable(node: SourceNode): boolean {
  if (node.kind === 'scalar') return node.secret;
  return (
    node.kind === 'map' && node.entries.some(({ key, value }) => key === 'password' && isFromVariable(value))
  );
}
