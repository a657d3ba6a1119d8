import { readFile, stat } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { HelixError } from '../../../../common/engine/errors/helix-error.js';
import type { GuardedHttpCaller } from '../../../../common/platform/egress/index.js';

const mostBytes = 16 * 1024 * 1024;
const fetchMs = 15_000;

/**
 * The document of a file or an address, JSON or YAML.
 * @throws HelixError `WORKSPACE.INVALID`, or what the HTTP caller throws
 */
export async function loadDocument(location: string, http: GuardedHttpCaller): Promise<unknown> {
  const text = /^https?:/i.test(location) ? await fetchText(location, http) : await readText(location);
  // JSON is YAML, but its own parser is a hundred times as fast.
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const document = parseDocument(text, { maxAliasCount: 100, uniqueKeys: true } as never);
    const [error] = document.errors;
    if (error)
      throw new HelixError('WORKSPACE.INVALID', `${location} is neither JSON nor YAML: ${error.message}`);
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  }
}

async function readText(path: string): Promise<string> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) throw new HelixError('WORKSPACE.INVALID', `The document ${path} is not there.`);
  if (size > mostBytes)
    throw new HelixError('WORKSPACE.INVALID', `The document ${path} is larger than 16 MiB.`);
  return readFile(path, 'utf8');
}

async function fetchText(address: string, http: GuardedHttpCaller): Promise<string> {
  const { status, body } = await http.call({
    url: new URL(address),
    method: 'GET',
    headers: { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' },
    body: null,
    maxBytes: mostBytes,
    signal: AbortSignal.timeout(fetchMs),
  });
  if (status !== 200) throw new HelixError('HTTP.TARGET_FAILED', `The document was answered with ${status}.`);
  return Buffer.from(body).toString();
}
