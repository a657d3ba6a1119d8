import { describe, expect, it } from 'vitest';
import { JsonSchemaValidator } from '../../../../common/platform/schema/json-schema-validator.js';
import { importDocument } from './import-document.js';
import { requestOf } from './operation-request.js';
import { toolOf } from './operation-tool.js';

const ok = { responses: { 200: { description: 'ok' } } };
const documentOf = (paths: object, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.pets.example/v1/', variables: { region: { default: 'eu' } } }],
  paths,
  ...more,
});

function operation(paths: object, more: object = {}) {
  const { operations, problems } = importDocument(documentOf(paths, more));
  expect(problems).toEqual([]);
  const [first] = operations;
  if (!first) throw new Error('no operation');
  return first;
}

function fits(schema: unknown, value: unknown): boolean {
  return new JsonSchemaValidator().compile(schema as never)(value).length === 0;
}

const parameter = (section: string, name: string, more: object = {}) => ({
  in: section,
  name,
  ...(section === 'path' ? { required: true } : {}),
  schema: {},
  ...more,
});
const request = (path: string, parameters: object[], input: object) =>
  requestOf(operation({ [path]: { get: { parameters, ...ok } } }), 'https://a.example/v1', input);

describe('importing an OpenAPI document', () => {
  it('makes a tool of each operation, with the server’s variables filled in', () => {
    const { server, operations } = importDocument(
      documentOf({
        '/pets/{id}': {
          parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
          get: { operationId: 'getPet', summary: 'Reads a pet', ...ok },
          delete: { summary: 'No id of its own', ...ok },
        },
      }),
    );
    expect(server).toBe('https://eu.pets.example/v1');
    const tools = operations.map((one) => toolOf(one, 'openapi:pets'));
    expect(tools.map(({ id, policy }) => [id, policy.sideEffects, policy.redispatch])).toEqual([
      ['openapi:pets:getPet', 'read', 'safe'],
      ['openapi:pets:delete_pets_id', 'write', 'never'],
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({
      required: ['path'],
      properties: { path: { required: ['id'], additionalProperties: false } },
      additionalProperties: false,
    });
  });

  it('reads 3.0’s nullable as a union with null, also of a reference, and its boolean bounds', () => {
    const { inputSchema } = toolOf(
      operation(
        {
          '/a': {
            post: {
              requestBody: {
                required: true,
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      properties: {
                        name: { type: 'string', nullable: true },
                        kind: { type: 'string', enum: ['x'], nullable: true },
                        other: { $ref: '#/components/schemas/Other', nullable: true },
                        more: { type: 'integer', minimum: 0, exclusiveMinimum: true },
                      },
                    },
                  },
                },
              },
              ...ok,
            },
          },
        },
        { components: { schemas: { Other: { type: 'object' } } } },
      ),
      'openapi:x',
    );
    const fitting = (bodies: object[]) => bodies.filter((body) => fits(inputSchema, { body }));
    const right = [{ name: null }, { kind: null }, { other: null }, { more: 1 }];
    expect(fitting(right)).toEqual(right);
    expect(fitting([{ name: 1 }, { kind: 'y' }, { other: 1 }, { more: 0 }])).toEqual([]);
  });

  it('keeps a type that holds itself as a reference', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      required: ['children'],
    };
    const { inputSchema } = toolOf(
      operation(
        {
          '/trees': {
            post: {
              requestBody: {
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
              },
              ...ok,
            },
          },
        },
        { components: { schemas: { Tree: tree } } },
      ),
      'openapi:x',
    );
    expect(fits(inputSchema, { body: { children: [{ children: [] }] } })).toBe(true);
    expect(fits(inputSchema, { body: { children: [{}] } })).toBe(false);
  });

  it('leaves out one bad operation, says why, and keeps the others', () => {
    const body = (content: object) => ({ requestBody: { content }, ...ok });
    const { operations, problems } = importDocument(
      documentOf({
        '/good': { get: { operationId: 'good', ...ok } },
        '/outside': { get: { parameters: [{ $ref: 'https://evil.example/p.json' }], ...ok } },
        '/file': { post: body({ 'application/json': { schema: { $ref: 'file:///etc/passwd' } } }) },
        '/nowhere': { post: body({ 'application/json': { schema: { $ref: '#/components/schemas/No' } } }) },
        '/upload': { post: body({ 'multipart/form-data': { schema: {} } }) },
        '/{gap}': { get: ok },
        '/twice': { get: { operationId: 'good', ...ok } },
        '/odd': { get: { parameters: [7], ...ok } },
        '/ring': { $ref: '#/paths/~1ring' },
      }),
    );
    expect(operations.map(({ id }) => id)).toEqual(['good']);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(
      expect.arrayContaining([
        'GET /outside',
        'POST /file',
        'POST /nowhere',
        'POST /upload',
        'GET /{gap}',
        'GET /twice',
        'GET /odd',
        'GET /ring',
      ]),
    );
    expect(problems.join('\n')).toContain('only references within the document');
  });

  it.each([{ swagger: '2.0' }, {}, [], 'text', null, { openapi: '4.0.0' }])(
    'refuses what is no such document: %j',
    (document) => {
      expect(() => importDocument(document)).toThrow(/An OpenAPI document of version 3.0 to 3.2 is wanted/);
    },
  );
});

describe('the request of an operation', () => {
  it.each([
    ['/p/{a}', [parameter('path', 'a')], { path: { a: 'x/../y?z#ü' } }, '/v1/p/x%2F..%2Fy%3Fz%23%C3%BC'],
    ['/p/{a}', [parameter('path', 'a')], { path: { a: [1, 2] } }, '/v1/p/1,2'],
    [
      '/p/{a}',
      [parameter('path', 'a', { style: 'label', explode: true })],
      { path: { a: [1, 2] } },
      '/v1/p/.1.2',
    ],
    ['/p/{a}', [parameter('path', 'a', { style: 'matrix' })], { path: { a: [1, 2] } }, '/v1/p/;a=1,2'],
    ['/p', [parameter('query', 'a')], { query: { a: ['x', 'y'] } }, '/v1/p?a=x&a=y'],
    ['/p', [parameter('query', 'a', { explode: false })], { query: { a: ['x', 'y'] } }, '/v1/p?a=x%2Cy'],
    [
      '/p',
      [parameter('query', 'a', { style: 'pipeDelimited', explode: false })],
      { query: { a: [1, 2] } },
      '/v1/p?a=1%7C2',
    ],
    [
      '/p',
      [parameter('query', 'a', { style: 'deepObject' })],
      { query: { a: { k: 1 } } },
      '/v1/p?a%5Bk%5D=1',
    ],
    ['/p', [parameter('query', 'a')], { query: { a: { k: 1, l: true } } }, '/v1/p?k=1&l=true'],
    [
      '/p',
      [parameter('query', 'a', { content: { 'application/json': { schema: {} } } })],
      { query: { a: { k: 1 } } },
      '/v1/p?a=%7B%22k%22%3A1%7D',
    ],
  ])('puts values in the address: %s %#', (path, parameters, input, address) => {
    const { url } = request(path, parameters, input);
    expect(url.pathname + url.search).toBe(address);
  });

  it('puts values in headers and cookies', () => {
    const { headers } = request(
      '/p',
      [parameter('header', 'X-A'), parameter('cookie', 'c'), parameter('header', 'Authorization')],
      {
        header: { 'X-A': [1, 2] },
        cookie: { c: 'a;b' },
      },
    );
    expect(headers).toMatchObject({ 'x-a': '1,2', cookie: 'c=a%3Bb' });
    expect(headers).not.toHaveProperty('authorization');
  });
});
