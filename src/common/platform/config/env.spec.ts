import { expect, test } from 'vitest';
import { ConfigurationError } from './configuration-error.js';
import { readEnvironment } from './env.js';
import type { Environment } from './process-environment.js';

const key = Buffer.alloc(32, 7).toString('base64');

function problemsOf(environment: Environment): readonly string[] {
  try {
    readEnvironment(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

test('nothing set gives the defaults, frozen', () => {
  const config = readEnvironment({});
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    privateEgress: false,
    callWaitMs: 10_000,
    tregUrl: 'https://treg.to',
    trustProxy: false,
    logLevel: 'info',
    logFormat: undefined,
  });
  expect(config.home).toMatch(/\/\.helix$/);
  expect(config.workflows).toEqual([expect.stringMatching(/\/examples\/helpdesk$/)]);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an empty variable counts as unset, as compose files write it', () => {
  expect(readEnvironment({ PORT: '', HOST: ' ', DATABASE_URL: '' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
  });
});

test('every wrong variable is named at once, with what is allowed, without its value', () => {
  const problems = problemsOf({
    PORT: '70000',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    REDIS_URL: 'localhost',
    HELIX_KEYRING: 'k1:tooshort',
    HELIX_ALLOW_PRIVATE_EGRESS: '10.0.0.0/99',
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'loud',
    HELIX_CALL_WAIT_MS: '1e3',
  });
  const named = new Set(problems.map((problem) => problem.split(' ')[0]));
  expect(problems).toHaveLength(named.size);
  expect(named).toEqual(
    new Set([
      'DATABASE_URL',
      'HELIX_ALLOW_PRIVATE_EGRESS',
      'HELIX_CALL_WAIT_MS',
      'HELIX_KEYRING',
      'LOG_LEVEL',
      'PORT',
      'REDIS_URL',
      'TRUST_PROXY',
    ]),
  );
  expect(problems.join('\n')).not.toMatch(/hunter2|tooshort/);
  expect(problems).toContain('PORT must be a whole number from 0 to 65535');
});

test('a database of your own needs a keyring of your own', () => {
  const DATABASE_URL = 'postgres://helix@db/helix';
  expect(problemsOf({ DATABASE_URL })).toEqual([expect.stringContaining('HELIX_KEYRING')]);
  expect(problemsOf({ DATABASE_URL, HELIX_KEYRING: `k1:${key}` })).toEqual([]);
  expect(problemsOf({ HELIX_KEYRING: `k1:${key}`, HELIX_KEYRING_FILE: '/x' })).toEqual([
    expect.stringContaining('both'),
  ]);
});

test.each([
  ['2', 2],
  ['0', false],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s', (TRUST_PROXY, expected) => {
  expect(readEnvironment({ TRUST_PROXY }).trustProxy).toEqual(expected);
});

test.each([
  ['true', true],
  ['false', false],
  ['db.internal,192.168.0.0/16,fd00::/8', ['db.internal', '192.168.0.0/16', 'fd00::/8']],
])('HELIX_ALLOW_PRIVATE_EGRESS=%s', (HELIX_ALLOW_PRIVATE_EGRESS, expected) => {
  expect(readEnvironment({ HELIX_ALLOW_PRIVATE_EGRESS }).privateEgress).toEqual(expected);
});

test('two ids alike are no keyring', () => {
  expect(problemsOf({ HELIX_KEYRING: `k1:${key},k1:${key}` })).toHaveLength(1);
});

test('the corporate login is set up as a whole or not at all', () => {
  const HELIX_OIDC_ISSUER = 'https://login.corp.example';
  expect(problemsOf({ HELIX_OIDC_ISSUER })).toHaveLength(3);
  expect(problemsOf({ HELIX_OIDC_CLIENT_ID: 'helix' })).toEqual([
    expect.stringContaining('HELIX_OIDC_ISSUER'),
  ]);
  expect(problemsOf({ HELIX_OIDC_ROLE: 'owner' })[0]).toContain('member, admin');
  const rest = {
    HELIX_OIDC_CLIENT_ID: 'helix',
    HELIX_OIDC_DOMAINS: 'Corp.example,corp.de',
    HELIX_PUBLIC_URL: 'https://helix.corp.example',
  };
  expect(readEnvironment({ HELIX_OIDC_ISSUER, ...rest }).oidc).toMatchObject({
    domains: ['corp.example', 'corp.de'],
    organizationId: undefined,
    role: 'member',
  });
  expect(problemsOf({ HELIX_OIDC_ISSUER: 'http://login.corp.example', ...rest })).toHaveLength(1);
});

test('workspaces do not fill their own wallets where these spend the operator’s money', () => {
  expect(readEnvironment({}).walletAdmin).toBe('owner');
  expect(readEnvironment({ HELIX_TREG_TOKEN: 'tk_operator' }).walletAdmin).toBe('operator');
  expect(readEnvironment({ HELIX_TREG_TOKEN: 'tk_operator', HELIX_WALLET_ADMIN: 'owner' }).walletAdmin).toBe(
    'owner',
  );
});
