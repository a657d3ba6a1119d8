import { expect, test } from 'vitest';
import { parseSources } from '../parse-workspace.js';

const variables = {
  MCP: 'mcp-key-one,mcp-key-two',
  SENT: 'Bearer token-of-the-upstream',
  CRM_TOKEN: 'crm-0123456789',
  DATABASE: 'postgres://me:p%40ssword-1@db/shop',
  PART: 'part-of-a-url',
  CITY: 'Amsterdam is no secret',
  KEYBOARD: 'a keyboard is no key',
  SHORT_KEY: 'sesame',
};
const secretsOf = (text: string): string[] => [
  ...parseSources([{ path: 'w.yaml', text }], variables).secrets,
];

test.each([
  ['an option of a URI', 'from: "mcp-server://0.0.0.0:1?api_keys=${MCP}&path=${CITY}"'],
  ['a list', 'parameters: { api_keys: ["${MCP}"] }'],
])('every key of %s', (_, text) => {
  expect(secretsOf(text)).toEqual([variables.MCP, 'mcp-key-one', 'mcp-key-two']);
});

test.each(['bearer: "${SENT}"', 'parameters: { headers: { X-Any: "${SENT}" } }', 'env: { ANY: "${SENT}" }'])(
  'what stands in %s, with and without its scheme',
  (text) => {
    expect(secretsOf(text)).toEqual([variables.SENT, 'token-of-the-upstream']);
  },
);

test('the credentials of a URL, whether it is the variable or holds it', () => {
  expect(secretsOf('connections: { shop: { url: "${DATABASE}" } }')).toEqual([
    variables.DATABASE,
    'p%40ssword-1',
    'p@ssword-1',
  ]);
  expect(secretsOf('url: "postgres://me:${PART}@db/shop"')).toEqual([variables.PART]);
  expect(secretsOf('url: "postgres://db/${PART}"')).toEqual([]);
});

test('a variable whose name says so, wherever it stands', () => {
  expect(secretsOf('set-property: { name: any, value: "${CRM_TOKEN}" }')).toEqual([variables.CRM_TOKEN]);
});

test('neither ordinary values, nor short ones, nor what stands in the file', () => {
  const text =
    'a: "${CITY}"\nb: "${KEYBOARD}"\nbearer: "${SHORT_KEY}"\npassword: "${NONE:written-for-all}"\n';
  expect(secretsOf(`${text}token: written-for-all\nd: "$\${MCP}"`)).toEqual([]);
});
