import { Secret } from '../logging/secret.js';
import { type EnvironmentVariables, listOf } from './env-variables.js';
import type { OidcRole, OidcSettings } from './helix-config.js';

const needed = ['HELIX_OIDC_CLIENT_ID', 'HELIX_OIDC_DOMAINS', 'HELIX_PUBLIC_URL'] as const;
const optional = ['HELIX_OIDC_CLIENT_SECRET', 'HELIX_OIDC_ORGANIZATION', 'HELIX_OIDC_ROLE'] as const;

/** What the variables of the corporate login lack together, each of them right by itself. */
export function oidcProblems(variables: EnvironmentVariables): string[] {
  if (variables.HELIX_OIDC_ISSUER !== undefined)
    return needed
      .filter((name) => variables[name] === undefined)
      .map((name) => `${name} must be set together with HELIX_OIDC_ISSUER`);
  return [...needed, ...optional]
    .filter((name) => name !== 'HELIX_PUBLIC_URL' && variables[name] !== undefined)
    .map((name) => `${name} is set without HELIX_OIDC_ISSUER, which turns the corporate login on`);
}

export function readOidc(variables: EnvironmentVariables): OidcSettings | undefined {
  const { HELIX_OIDC_ISSUER: issuer, HELIX_OIDC_CLIENT_SECRET: secret } = variables;
  if (issuer === undefined) return undefined;
  return Object.freeze({
    issuer,
    clientId: variables.HELIX_OIDC_CLIENT_ID ?? '',
    clientSecret: secret === undefined ? undefined : new Secret(secret),
    domains: Object.freeze(listOf(variables.HELIX_OIDC_DOMAINS?.toLowerCase() ?? '')),
    organizationId: variables.HELIX_OIDC_ORGANIZATION,
    role: (variables.HELIX_OIDC_ROLE ?? 'member') as OidcRole,
  });
}
