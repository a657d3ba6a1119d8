import { DocumentedApi, type OpenApiDocument } from './documented-api.js';

const documents = new Map<string, Promise<DocumentedApi>>();

/** The API as the server at this address (`http://127.0.0.1:port`) documents it; read once. */
export function documentedApi(origin: string): Promise<DocumentedApi> {
  const known = documents.get(origin);
  if (known !== undefined) return known;
  const read = readDocument(origin);
  documents.set(origin, read);
  return read.catch((error: unknown) => {
    // It may only not be up yet.
    documents.delete(origin);
    throw error;
  });
}

/**
 * `fetch` of the REST API of a running Helix, which holds every answer against the OpenAPI document that the server
 * itself serves. Requests to addresses that are no operation of the document are passed on.
 * @throws Error the answer is not as documented: which operation, and what differs
 */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const { origin, pathname, search } = new URL(url);
  const api = await documentedApi(origin);
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const { status, headers } = answer;
  const exchanged = { method: init.method ?? 'GET', path: pathname + search, status, headers };
  const found = api.differences({ ...exchanged, text: await answer.clone().text() });
  if (found.length > 0) throw new Error(`The answer is not as documented.\n${found.join('\n')}`);
  return answer;
}

async function readDocument(origin: string): Promise<DocumentedApi> {
  const answer = await fetch(`${origin}/openapi.json`);
  if (!answer.ok) throw new Error(`There is no document at ${origin}: HTTP ${answer.status}.`);
  return new DocumentedApi((await answer.json()) as OpenApiDocument);
}
