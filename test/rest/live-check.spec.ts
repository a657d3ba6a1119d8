import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentedApi, type Exchanged, type OpenApiDocument } from '../support/documented-api.js';
import { documentedApi, fetchDocumented } from '../support/fetch-documented.js';
import { type Answer, type Client, type RestStory, startRest } from './support/client.js';

/*
 * Every story of the REST API holds each answer against the served OpenAPI document. Here it is shown that a document
 * that says something else than the server does is found out: true answers, and one lie told in the document.
 */
let story: RestStory;
let ann: Client;
let document: OpenApiDocument;
let liar: Server;

beforeAll(async () => {
  story = await startRest();
  ann = await story.owner();
  story.bench.add('echo', { work: (input) => input });
  document = (await documentedApi(ann.url)).document;
});
afterAll(async () => {
  liar?.closeAllConnections();
  liar?.close();
  await story.close();
});

const tools = '/v1/api/tools';
const asked = (method: string, path: string, { status, headers, text }: Answer<unknown>): Exchanged => ({
  method,
  path,
  status,
  headers,
  text,
});

/** What is found in a true answer by a document changed by `lie`. */
function found(exchanged: Exchanged, lie: (told: OpenApiDocument) => void = () => {}): string {
  const told = structuredClone(document);
  lie(told);
  return new DocumentedApi(told).differences(exchanged).join('\n');
}

const search = (told: OpenApiDocument) => told.paths[tools]?.['get']?.responses['200'];
const schemaOf = (told: OpenApiDocument, name: string) =>
  told.components.schemas[name] as {
    properties: Record<string, Record<string, unknown>>;
    required: string[];
  };

describe('a document that lies', () => {
  it.each<[string, string, (told: OpenApiDocument) => void]>([
    ['an operation it does not have', 'is no operation', (told) => delete told.paths[tools]],
    ['a status', 'status 200', (told) => delete told.paths[tools]?.['get']?.responses['200']],
    ['a body', 'a body is not documented', (told) => delete search(told)?.content],
    [
      'a content type',
      'content type application/json',
      (told) => {
        const response = search(told);
        if (response) response.content = { 'text/plain': { schema: {} } };
      },
    ],
    [
      'a member it does not name',
      '"additionalProperty":"total"',
      (told) => {
        const schema = schemaOf(told, 'ToolSearchResult');
        delete schema.properties['total'];
        schema.required = [];
      },
    ],
    [
      'a member that is not there',
      '"missingProperty":"colour"',
      (told) => schemaOf(told, 'ToolDescriptor').required.push('colour'),
    ],
    [
      'a type',
      'body at "/items/0/summary"',
      (told) => (schemaOf(told, 'ToolDescriptor').properties['summary'] = { type: 'integer' }),
    ],
    ['a header it does not name', 'header x-request-id is not', (told) => delete search(told)?.headers],
    [
      'a header that is not there',
      'header X-Colour is missing'.toLowerCase(),
      (told) => {
        const headers = search(told)?.headers;
        if (headers) headers['X-Colour'] = { required: true, schema: { type: 'string' } };
      },
    ],
    [
      'the form of a header',
      'header x-request-id does not fit',
      (told) => {
        const headers = search(told)?.headers;
        if (headers) headers['X-Request-Id'] = { schema: { type: 'string', pattern: '^!$' } };
      },
    ],
  ])('about %s is found out', async (_, told, lie) => {
    const exchanged = asked('GET', tools, await ann.get(tools));
    expect(found(exchanged)).toBe('');
    expect(found(exchanged, lie).toLowerCase()).toContain(told.toLowerCase());
  });

  it('is found out by every request of a story: fetch itself fails', async () => {
    liar = createServer((request, response) => {
      const isDocument = request.url === '/openapi.json';
      const type = { 'content-type': 'application/json' };
      response.writeHead(isDocument ? 200 : 418, type).end(JSON.stringify(isDocument ? document : {}));
    }).listen(0, '127.0.0.1');
    await once(liar, 'listening');
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    await expect(fetchDocumented(url + tools)).rejects.toThrow(
      'searchTools (GET /v1/api/tools → 418): status 418',
    );
    expect((await fetchDocumented(`${url}/elsewhere`)).status).toBe(418);
  });
});

describe('an address', () => {
  it.each([
    ['GET', '/v1/api/tools/connections/treg', 'getToolConnection'],
    ['HEAD', '/V1/api/TOOLS/', 'searchTools'],
    ['GET', '/v1/api/workflows?x=1', undefined],
    ['GET', '/v1/api/organizations/current', 'getOrganization'],
    ['POST', '/v1/api/tools/treg:a.b%2Fc/call', 'callTool'],
    ['POST', '/v1/api/tools', undefined],
    ['GET', '/v1/api/tools/a/b/c', undefined],
  ])('%s %s is the operation %s', (method, path, id) => {
    expect(new DocumentedApi(document).operation(method, path)?.operationId).toBe(id);
  });
});
