import { isSecretName } from '../../engine/model/endpoint-uri.js';
import type { ScalarNode, SourceNode } from '../../engine/model/source-node.js';
import { type Variables, variablesIn } from './substitute.js';

/** Shorter values are ordinary words, which a log needs. */
const shortest = 8;
const secretVariable =
  /(^|_)(keys?|tokens?|secrets?|pass|passwords?|passwd|pwd|auth|bearer|credentials?)(_|$)/i;

/**
 * What variables put where a workspace holds its secrets, so that logs and answers can mask it: in options, parameters
 * and headers whose name says so, in the credentials of a URL, or from a variable whose own name says so. Lists are
 * taken apart, since each key of them is shown alone. Defaults stand in the file for all to read, so they are none.
 */
export function secretValues(roots: readonly SourceNode[], variables: Variables): ReadonlySet<string> {
  const values = new Set<string>();
  const visit = (node: SourceNode, isSecret: boolean): void => {
    if (node.kind === 'scalar') collect(node, isSecret, variables, values);
    else if (node.kind === 'list') for (const item of node.items) visit(item, isSecret);
    else for (const { key, value } of node.entries) visit(value, isSecret || isSecretName(key));
  };
  for (const root of roots) visit(root, false);
  return values;
}

function collect(
  { secret, written }: ScalarNode,
  isSecretPlace: boolean,
  variables: Variables,
  values: Set<string>,
): void {
  if (!secret || written === undefined) return;
  for (const { name, before, after } of variablesIn(written)) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) continue;
    const isSecret = isSecretPlace || secretVariable.test(name) || isSecretInUri(before, after);
    const found = [...(isSecret ? partsOf(value) : []), ...credentialsIn(value)];
    for (const part of found) if (part.length >= shortest) values.add(part);
  }
}

/** In the query as the value of an option that is named so, or before the `@` of the authority. */
function isSecretInUri(before: string, after: string): boolean {
  const option = /[?&]([^=&?]+)=[^&]*$/.exec(before)?.[1];
  if (option !== undefined) return isSecretName(option);
  return /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#]*$/i.test(before) && /^[^/?#]*@/.test(after);
}

/** The whole, the items of a list, and the token behind the name of an authorization scheme. */
function partsOf(value: string): string[] {
  const items = value.split(',').map((item) => item.trim());
  return [value.trim(), ...items, ...items.map((item) => item.replace(/^(bearer|basic)\s+/i, ''))];
}

/** A URL with a password is a secret wherever it stands; drivers show the password decoded, or the whole. */
function credentialsIn(value: string): string[] {
  const written = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]*)@/i.exec(value)?.[1];
  return written ? [value.trim(), written, decoded(written)] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
