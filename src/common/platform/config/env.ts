import 'reflect-metadata';
import { delimiter, join, resolve } from 'node:path';
import { validateSync } from 'class-validator';
import { Secret } from '../logging/secret.js';
import { ConfigurationError } from './configuration-error.js';
import { EnvironmentVariables, listOf } from './env-variables.js';
import { parseDuration } from '../../engine/api/options.js';
import {
  type FirstRunMode,
  HelixConfig,
  type LogFormat,
  type LogLevel,
  type WalletAdmin,
} from './helix-config.js';
import { oidcProblems, readOidc } from './oidc-variables.js';
import { packageRoot } from './package-root.js';
import { processEnvironment, type Environment } from './process-environment.js';

const names = [
  'PORT',
  'HOST',
  'HELIX_PUBLIC_URL',
  'HELIX_WORKFLOWS',
  'HELIX_HOME',
  'DATABASE_URL',
  'REDIS_URL',
  'HELIX_KEYRING',
  'HELIX_KEYRING_FILE',
  'HELIX_ALLOW_PRIVATE_EGRESS',
  'HELIX_CALL_WAIT_MS',
  'HELIX_COST_DEADLINE',
  'HELIX_RESERVATION_MICROS',
  'HELIX_WALLET_ADMIN',
  'HELIX_TREG_URL',
  'HELIX_TREG_TOKEN',
  'HELIX_TREG_ORGANIZATION',
  'HELIX_OIDC_ISSUER',
  'HELIX_OIDC_CLIENT_ID',
  'HELIX_OIDC_CLIENT_SECRET',
  'HELIX_OIDC_DOMAINS',
  'HELIX_OIDC_ORGANIZATION',
  'HELIX_OIDC_ROLE',
  'TRUST_PROXY',
  'HELIX_FIRST_RUN',
  'HELIX_IP_ALLOWLIST',
  'HELIX_RATE_LIMIT',
  'LOG_LEVEL',
  'LOG_FORMAT',
] as const satisfies readonly (keyof EnvironmentVariables)[];

/**
 * Reads and validates the environment.
 * @param environment what to read; the process's own unless a test or a second app gives another
 * @throws ConfigurationError naming every wrong variable at once, with what is allowed
 */
export function readEnvironment(environment: Environment = processEnvironment()): HelixConfig {
  const variables = new EnvironmentVariables();
  for (const name of names) {
    const text = environment[name]?.trim();
    if (text) variables[name] = text;
  }
  const problems = validateSync(variables, { stopAtFirstError: true }).flatMap((error) =>
    Object.values(error.constraints ?? {}),
  );
  if (variables.HELIX_KEYRING && variables.HELIX_KEYRING_FILE)
    problems.push('HELIX_KEYRING and HELIX_KEYRING_FILE are both set: keep one of them');
  if (variables.DATABASE_URL && !variables.HELIX_KEYRING && !variables.HELIX_KEYRING_FILE)
    problems.push(
      'HELIX_KEYRING or HELIX_KEYRING_FILE must be set together with DATABASE_URL: keys are only generated for the ' +
        'embedded database. Make one with `echo "k1:$(openssl rand -base64 32)"` and keep it safe',
    );
  problems.push(...oidcProblems(variables));
  if (problems.length > 0) throw new ConfigurationError(problems);

  return new HelixConfig({
    port: Number(variables.PORT ?? 3000),
    host: variables.HOST ?? '127.0.0.1',
    publicUrl: variables.HELIX_PUBLIC_URL?.replace(/\/+$/, ''),
    workflows: variables.HELIX_WORKFLOWS
      ? splitPaths(variables.HELIX_WORKFLOWS)
      : [join(packageRoot(), 'examples', 'helpdesk')],
    home: resolve(variables.HELIX_HOME ?? '.helix'),
    databaseUrl: secret(variables.DATABASE_URL),
    redisUrl: secret(variables.REDIS_URL),
    keyring: secret(variables.HELIX_KEYRING),
    keyringFile:
      variables.HELIX_KEYRING_FILE === undefined ? undefined : resolve(variables.HELIX_KEYRING_FILE),
    privateEgress: readEgress(variables.HELIX_ALLOW_PRIVATE_EGRESS),
    callWaitMs: Number(variables.HELIX_CALL_WAIT_MS ?? 10_000),
    costDeadlineSeconds: (parseDuration(variables.HELIX_COST_DEADLINE ?? '24h') ?? 0) / 1000,
    reservationMicros: Number(variables.HELIX_RESERVATION_MICROS ?? 100_000),
    // With the operator's own account behind the wallets, a workspace that fills its own would spend his money.
    walletAdmin: (variables.HELIX_WALLET_ADMIN ??
      (variables.HELIX_TREG_TOKEN ? 'operator' : 'owner')) as WalletAdmin,
    tregUrl: (variables.HELIX_TREG_URL ?? 'https://treg.to').replace(/\/+$/, ''),
    tregToken: secret(variables.HELIX_TREG_TOKEN),
    tregOrganization: variables.HELIX_TREG_ORGANIZATION ?? '',
    oidc: readOidc(variables),
    trustProxy: readTrust(variables.TRUST_PROXY),
    ipAllowlist:
      variables.HELIX_IP_ALLOWLIST === undefined
        ? undefined
        : Object.freeze(listOf(variables.HELIX_IP_ALLOWLIST)),
    rateLimit: Number(variables.HELIX_RATE_LIMIT ?? 0),
    firstRun: (variables.HELIX_FIRST_RUN ?? 'auto') as FirstRunMode,
    logLevel: (variables.LOG_LEVEL ?? 'info') as LogLevel,
    logFormat: variables.LOG_FORMAT as LogFormat | undefined,
  });
}

function secret(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

/** Paths stand between `:`, between `;` on Windows where `:` belongs to the drive. */
function splitPaths(text: string): string[] {
  return text
    .split(delimiter)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => resolve(part));
}

function readEgress(text = 'false'): boolean | readonly string[] {
  if (text === 'true' || text === 'false') return text === 'true';
  return Object.freeze(listOf(text));
}

function readTrust(text = '0'): false | number | readonly string[] {
  if (/^\d+$/.test(text)) return Number(text) === 0 ? false : Number(text);
  return Object.freeze(listOf(text));
}
