import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type RestStory, startRest } from './support/client.js';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { type: string; default?: string; pattern?: string };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string } }> };
  responses: Record<
    string,
    { content?: Record<string, { schema: { $ref?: string; oneOf?: { $ref: string }[] } }> }
  >;
  security?: Record<string, string[]>[];
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties: Record<string, Record<string, unknown>>; required?: string[] }>;
  };
  security: Record<string, string[]>[];
}

let story: RestStory;
let document: Document;
let nobody: Client;

beforeAll(async () => {
  story = await startRest();
  nobody = (await story.owner()).with(undefined);
  document = (await nobody.get<Document>('/openapi.json')).body;
});
afterAll(() => story.close());

const schemaOf = (name: string) => document.components.schemas[name];

const contract = [
  [
    'listToolCalls',
    'get',
    '/v1/api/tool-calls',
    'ToolCallList',
    'projectId limit cursor',
    '200 400 401 403 404',
  ],
  ['getToolCall', 'get', '/v1/api/tool-calls/{callId}', 'ToolCall', 'callId', '200 400 401 403 404'],
  ['searchTools', 'get', '/v1/api/tools', 'ToolSearchResult', 'query provider limit', '200 400 401 403 404'],
  ['describeTool', 'get', '/v1/api/tools/{toolId}', 'ToolDescriptor', 'toolId', '200 400 401 403 404'],
  [
    'callTool',
    'post',
    '/v1/api/tools/{toolId}/call',
    'ToolCall',
    'toolId',
    '200 201 400 401 402 403 404 409',
  ],
  [
    'removeToolConnection',
    'delete',
    '/v1/api/tools/connections/treg',
    'ToolConnection',
    '',
    '200 400 401 403 404',
  ],
  ['getToolConnection', 'get', '/v1/api/tools/connections/treg', 'ToolConnection', '', '200 400 401 403 404'],
  [
    'saveToolConnection',
    'put',
    '/v1/api/tools/connections/treg',
    'ToolConnection',
    '',
    '200 400 401 403 404',
  ],
] as const;

describe.each(contract)('%s', (id, method, path, schema, parameters, statuses) => {
  const operation = () => document.paths[path]?.[method] as Operation;
  const named = (status: string) => operation().responses[status]?.content?.['application/json']?.schema;

  it('is in the document under its path and id', () => {
    expect(operation().operationId).toBe(id);
  });

  it('takes the parameters of the contract, each of them a string', () => {
    const listed = operation().parameters ?? [];
    const names = listed.filter(({ in: place }) => place !== 'header').map(({ name }) => name);
    expect(names.toSorted()).toEqual(parameters.split(' ').filter(Boolean).toSorted());
    for (const parameter of listed) {
      expect(parameter.schema.type).toBe('string');
      expect(parameter.required ?? false).toBe(parameter.in === 'path');
    }
    expect(listed.map(({ name }) => name)).toContain('X-Organization-Id');
    for (const limit of listed.filter(({ name }) => name === 'limit'))
      expect(limit.schema).toMatchObject({ default: '30', pattern: '^([1-9][0-9]?|100)$' });
  });

  it('documents every status of the contract with its body', () => {
    const ours = ['413', '429', '500', '503'];
    const listed = Object.keys(operation().responses).filter((status) => !ours.includes(status));
    expect(listed.toSorted()).toEqual(statuses.split(' '));
    const bodyOf = (status: string) => {
      if (status.startsWith('2')) return schema;
      return status === '400' && operation().requestBody ? 'ValidationError or ApiError' : 'ApiError';
    };
    for (const status of listed) {
      const options = named(status)?.oneOf ?? [{ $ref: named(status)?.$ref ?? 'nothing' }];
      const names = options.map(({ $ref }) => $ref.split('/').at(-1)).join(' or ');
      expect([status, names]).toEqual([status, bodyOf(status)]);
    }
  });

  it('may be used with a key or with a session', () => {
    expect(operation().security ?? document.security).toEqual([{ apiKey: [] }, { sessionCookie: [] }]);
  });
});

describe('the schemas', () => {
  it('have the names of the contract', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'ToolCall',
        'ToolCallInput',
        'ToolCallList',
        'ToolDescriptor',
        'ToolSearchResult',
        'ToolConnection',
        'SaveToolConnection',
        'ApiError',
        'ValidationError',
      ]),
    );
  });

  it('ask of a call what the contract asks', () => {
    const input = schemaOf('ToolCallInput');
    expect(input?.required?.toSorted()).toEqual(['idempotencyKey', 'input']);
    expect(input?.properties).toMatchObject({
      funding: { type: 'string', enum: ['auto', 'hlix', 'organization'] },
      idempotencyKey: { type: 'string', minLength: 1, maxLength: 200 },
      input: { type: 'object', additionalProperties: true },
      maxCostMicros: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
      projectId: { type: 'string', minLength: 1 },
    });
    expect(Object.keys(input?.properties ?? {}).toSorted()).toEqual([
      'funding',
      'idempotencyKey',
      'input',
      'maxCostMicros',
      'projectId',
    ]);
  });

  it('ask of a connection what the contract asks: no least length for its organization', () => {
    const save = schemaOf('SaveToolConnection');
    expect(save?.required?.toSorted()).toEqual(['apiKey', 'organizationId']);
    expect(save?.properties.apiKey).toMatchObject({ type: 'string', minLength: 1, maxLength: 10000 });
    expect(save?.properties.organizationId).toMatchObject({ type: 'string', maxLength: 40 });
    expect(save?.properties.organizationId).not.toHaveProperty('minLength');
  });

  it('are what is really answered', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...document });
    const fits = (name: string, body: unknown) => {
      const check = ajv.getSchema(`doc#/components/schemas/${name}`);
      expect([name, check?.(body), check?.errors]).toEqual([name, true, null]);
    };
    const ann = await story.owner();
    story.bench.add('echo', { work: (input) => input });
    const made = await ann.call<{ id: string }>('echo', { a: 1 });
    fits('ToolCall', made.body);
    fits('ToolCall', (await ann.get(`/v1/api/tool-calls/${made.body.id}`)).body);
    fits('ToolCallList', (await ann.get('/v1/api/tool-calls')).body);
    fits('ToolSearchResult', (await ann.get('/v1/api/tools')).body);
    fits('ToolDescriptor', (await ann.get('/v1/api/tools/echo')).body);
    const path = '/v1/api/tools/connections/treg';
    fits('ToolConnection', (await ann.send('PUT', path, { apiKey: 'a token', organizationId: '' })).body);
    fits('ToolSearchResult', (await ann.get('/v1/api/tools')).body);
    fits('ToolConnection', (await ann.get(path)).body);
    fits('ToolConnection', (await ann.send('DELETE', path)).body);
    fits('ApiError', (await nobody.get('/v1/api/tools')).body);
    fits('ValidationError', (await ann.send('PUT', path, {})).body);
    fits('ApiKeyList', (await ann.get('/v1/api/api-keys')).body);
    fits('OrganizationList', (await ann.get('/v1/api/organizations')).body);
    fits('Project', (await ann.send('POST', '/v1/api/projects', { name: 'one' })).body);
  });
});
