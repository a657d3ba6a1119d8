import { dirname, resolve } from 'node:path';
import { readShape } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';
import { openApiShape } from './catalogue-shape.js';
import type { CatalogueCredential, OpenApiSource } from './catalogue-source.js';
import { entriesOf, isText, readHeaders, warnOfWrittenSecret } from './read-entries.js';

export function readOpenApiSource(
  name: string,
  value: SourceNode,
  reader: FieldReader,
): OpenApiSource | null {
  const values = readShape(value, openApiShape, reader);
  if (values.openapi === '') return null;
  const isRemote = /^https?:\/\//i.test(values.openapi);
  if (values.server !== null && !/^https?:\/\/\S+$/i.test(values.server))
    wrongValue(reader, value.place, 'server must be an http(s) address.');
  return {
    kind: 'openapi',
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
    if (isText(value)) credentials[key] = String(value.value);
    else if (username !== null && password !== null) credentials[key] = { username, password };
    else wrongValue(reader, place, `${key} must be a key or a token, or a map with username and password.`);
    warnOfWrittenSecret(value, key, reader);
  }
  return credentials;
}

function textOf(source: SourceNode, key: string): string | null {
  const found = source.kind === 'map' ? entry(source, key) : undefined;
  return found && isText(found) ? String(found.value) : null;
}
