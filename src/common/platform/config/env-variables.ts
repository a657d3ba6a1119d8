import { isIP } from 'node:net';
import { IsIn, IsOptional, Matches, ValidateBy, type ValidationOptions } from 'class-validator';
import { parseDuration } from '../../engine/api/options.js';
import { firstRuns, logFormats, logLevels, oidcRoles, walletAdmins } from './helix-config.js';
import { keyringRule, parseKeyring } from './keyring-text.js';

/** Whole number within bounds, written in digits. */
function WholeNumber(from: number, to: number): PropertyDecorator {
  return Holds(
    `must be a whole number from ${from} to ${to}`,
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to,
  );
}

function Url(protocols: readonly string[]): PropertyDecorator {
  const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return Holds(`must be an address that begins with ${allowed}`, (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url !== undefined && protocols.includes(url.protocol) && url.hostname !== '';
  });
}

/** The database address may name a socket folder in its query, so its host may be empty. */
function DatabaseAddress(): PropertyDecorator {
  return Holds(
    'must be the address of a PostgreSQL 14 or later, such as postgres://user:password@host:5432/name',
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
  );
}

function Holds(rule: string, test: (text: string) => boolean): PropertyDecorator {
  const options: ValidationOptions = { message: `$property ${rule}` };
  return ValidateBy(
    { name: 'holds', validator: { validate: (value) => typeof value === 'string' && test(value) } },
    options,
  );
}

const hostName =
  /^(?=.{1,253}$)(\*\.)?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/;

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Without TLS whoever stands in between could be anybody's provider: only for tests on one machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && search + hash + username === '';
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function every(text: string, test: (part: string) => boolean): boolean {
  const parts = listOf(text);
  return parts.length > 0 && parts.every(test);
}

/**
 * The variables Helix knows, as text, each with what is allowed. An absent or empty one takes its
 * default (env.ts). Messages name the variable and never repeat the value: it may be a password.
 */
export class EnvironmentVariables {
  @IsOptional() @WholeNumber(0, 65_535) PORT?: string;

  @IsOptional()
  @Holds('must be the name or IP address to listen on', (text) => isIP(text) !== 0 || hostName.test(text))
  HOST?: string;

  @IsOptional() @Url(['http:', 'https:']) HELIX_PUBLIC_URL?: string;

  @IsOptional()
  @Holds('must name at least one file or folder', (text) => /[^:;\s]/.test(text))
  HELIX_WORKFLOWS?: string;

  @IsOptional() @Matches(/\S/, { message: '$property must be the path of a folder' }) HELIX_HOME?: string;

  @IsOptional() @DatabaseAddress() DATABASE_URL?: string;

  @IsOptional() @Url(['redis:', 'rediss:']) REDIS_URL?: string;

  @IsOptional()
  @Holds(`must be ${keyringRule}`, (text) => parseKeyring(text) !== undefined)
  HELIX_KEYRING?: string;

  @IsOptional()
  @Matches(/\S/, { message: '$property must be the path of a file' })
  HELIX_KEYRING_FILE?: string;

  @IsOptional()
  @Holds(
    'must be true, false, or a comma-separated list of host names, IP addresses and CIDRs',
    (text) =>
      text === 'true' || text === 'false' || every(text, (part) => isNetwork(part) || hostName.test(part)),
  )
  HELIX_ALLOW_PRIVATE_EGRESS?: string;

  @IsOptional() @WholeNumber(0, 60_000) HELIX_CALL_WAIT_MS?: string;

  @IsOptional()
  @Holds('must be a time span from 1s to 90d, such as 24h', (text) => {
    const milliseconds = parseDuration(text);
    return milliseconds !== null && milliseconds >= 1_000 && milliseconds <= 90 * 86_400_000;
  })
  HELIX_COST_DEADLINE?: string;

  @IsOptional() @WholeNumber(1, 999_999_999) HELIX_RESERVATION_MICROS?: string;

  @IsOptional()
  @IsIn(walletAdmins, { message: `$property must be one of ${walletAdmins.join(', ')}` })
  HELIX_WALLET_ADMIN?: string;

  @IsOptional() @Url(['http:', 'https:']) HELIX_TREG_URL?: string;

  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, {
    message: '$property must be a token of printable ASCII characters without spaces',
  })
  HELIX_TREG_TOKEN?: string;

  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: '$property must be the name of a team at Treg' })
  HELIX_TREG_ORGANIZATION?: string;

  @IsOptional()
  @Holds('must be an https:// address without query, or an http:// one of this machine', isIssuer)
  HELIX_OIDC_ISSUER?: string;

  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: '$property must be the id of Helix at the identity provider' })
  HELIX_OIDC_CLIENT_ID?: string;

  @IsOptional()
  @Matches(/^[\x21-\x7e]{8,1000}$/, {
    message: '$property must be 8 to 1000 printable ASCII characters without spaces',
  })
  HELIX_OIDC_CLIENT_SECRET?: string;

  @IsOptional()
  @Holds('must be a comma-separated list of e-mail domains, such as example.com', (text) =>
    every(text, (part) => hostName.test(part) && !part.startsWith('*')),
  )
  HELIX_OIDC_DOMAINS?: string;

  @IsOptional()
  @Matches(/^org_[0-9a-f-]{36}$/, { message: '$property must be the id of a workspace: org_…' })
  HELIX_OIDC_ORGANIZATION?: string;

  @IsOptional()
  @IsIn(oidcRoles, { message: `$property must be one of ${oidcRoles.join(', ')}` })
  HELIX_OIDC_ROLE?: string;

  @IsOptional()
  @Holds(
    'must be the number of proxies in front (0 to 32) or a comma-separated list of their IP addresses and CIDRs',
    (text) => (/^\d{1,2}$/.test(text) && Number(text) <= 32) || every(text, isNetwork),
  )
  TRUST_PROXY?: string;

  @IsOptional()
  @Holds('must be a comma-separated list of IP addresses and CIDRs', (text) => every(text, isNetwork))
  HELIX_IP_ALLOWLIST?: string;

  @IsOptional() @WholeNumber(0, 100_000_000) HELIX_RATE_LIMIT?: string;

  @IsOptional()
  @IsIn(firstRuns, { message: `$property must be one of ${firstRuns.join(', ')}` })
  HELIX_FIRST_RUN?: string;

  @IsOptional()
  @IsIn(logLevels, { message: `$property must be one of ${logLevels.join(', ')}` })
  LOG_LEVEL?: string;

  @IsOptional()
  @IsIn(logFormats, { message: `$property must be one of ${logFormats.join(', ')}` })
  LOG_FORMAT?: string;
}
