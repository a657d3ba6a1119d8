import type { FieldReader } from '../../engine/api/route-builder.js';
import type { MapEntry, ScalarNode, SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';

/** What a header may hold (RFC 9110 §5.5), without line ends. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Headers by lower-case name. What cannot be sent is reported and left out. */
export function readHeaders(source: SourceNode | null, reader: FieldReader): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { key, value, place } of entriesOf(source)) {
    if (headerName.test(key) && isText(value) && headerValue.test(String(value.value)))
      headers[key.toLowerCase()] = String(value.value);
    else wrongValue(reader, place, `"${key}" must be the name of a header with text in one line.`);
  }
  return headers;
}

/** Variables of a program. What cannot be one is reported and left out. */
export function readEnv(source: SourceNode | null, reader: FieldReader): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { key, value, place } of entriesOf(source)) {
    if (variableName.test(key) && isText(value)) env[key] = String(value.value);
    else wrongValue(reader, place, `"${key}" must be the name of a variable with text.`);
  }
  return env;
}

/** Warns of a credential that was written out. */
export function warnOfWrittenSecret(node: SourceNode, name: string, reader: FieldReader): void {
  if (isFromVariable(node)) return;
  reader.problem({
    severity: 'warning',
    rule: 'written-secret',
    message: `The credential for "${name}" stands in the file: take it from a variable.`,
    place: node.place,
  });
}

export function entriesOf(source: SourceNode | null): readonly MapEntry[] {
  return source?.kind === 'map' ? source.entries : [];
}

export function isText(node: SourceNode): node is ScalarNode {
  return node.kind === 'scalar' && node.value !== null && node.value !== '';
}

function isFromVariable(node: SourceNode): boolean {
  if (node.kind === 'scalar') return node.secret;
  return (
    node.kind === 'map' && node.entries.some(({ key, value }) => key === 'password' && isFromVariable(value))
  );
}
