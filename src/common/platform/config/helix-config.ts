import type { Secret } from '../logging/secret.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** `auto`: `run` makes the first owner. `setup`: it waits for `POST /v1/api/setup` with the token of the log. */
export const firstRuns = ['auto', 'setup'] as const;
export type FirstRunMode = (typeof firstRuns)[number];

/** Who may put money into wallets: `owner` = the owner of each workspace, `operator` = only the command line. */
export const walletAdmins = ['owner', 'operator'] as const;
export type WalletAdmin = (typeof walletAdmins)[number];

/** What a person gets in the workspace of the corporate login; owners are made by owners. */
export const oidcRoles = ['member', 'admin'] as const;
export type OidcRole = (typeof oidcRoles)[number];

/** The corporate login by OpenID Connect. */
export interface OidcSettings {
  /** As the provider writes it in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client, proved by PKCE alone. */
  readonly clientSecret: Secret | undefined;
  /** Lower case; only people with verified addresses of these domains are let in. */
  readonly domains: readonly string[];
  /** The workspace that new people become members of; undefined: none. */
  readonly organizationId: string | undefined;
  readonly role: OidcRole;
}

export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Encryption keys by id; the first one encrypts, the others only decrypt. 32 bytes each. */
export interface KeyringEntry {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * What the environment said, read once, validated and frozen. It is a class so that it is its own
 * injection token:
 *
 * ```ts
 * constructor(private readonly config: HelixConfig) {}
 * ```
 *
 * Nothing reads `process.env` but `processEnvironment`. Several apps in one process each have
 * their own: build one with `readEnvironment({ HELIX_HOME: dir, … })`.
 */
export class HelixConfig {
  /** Port of the REST API, Swagger UI and `/mcp`; 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** How callers reach this deployment, without a trailing slash; undefined = `http://host:port`. */
  readonly publicUrl: string | undefined;
  /** Files or folders of workflows, absolute. */
  readonly workflows: readonly string[];
  /** Embedded database, generated keys, `bootstrap.json`; absolute. Created 0700 by `prepareHome`. */
  readonly home: string;
  /** PostgreSQL 14 or later; undefined = the embedded one. */
  readonly databaseUrl: Secret | undefined;
  readonly redisUrl: Secret | undefined;
  /** Keys of `HELIX_KEYRING`; undefined = they are in `keyringFile`, or generated there. */
  readonly keyring: Secret | undefined;
  /** File of `HELIX_KEYRING_FILE`; undefined with the embedded database = `HELIX_HOME/keyring`. */
  readonly keyringFile: string | undefined;
  /** true, or the hosts and CIDRs of private networks that outgoing calls may reach. */
  readonly privateEgress: boolean | readonly string[];
  /** How long `callTool` waits before it answers, in milliseconds. */
  readonly callWaitMs: number;
  /** How long the cost of a call may stay unknown before its reservation is taken for it. */
  readonly costDeadlineSeconds: number;
  /** USD micros that a paid call reserves where neither its budget nor an estimate is known. */
  readonly reservationMicros: number;
  readonly walletAdmin: WalletAdmin;
  /** Base of the Treg API, without a trailing slash. */
  readonly tregUrl: string;
  /** The operator's own token at Treg, by which calls paid from a wallet go out; undefined = none do. */
  readonly tregToken: Secret | undefined;
  /** The operator's team at Treg; `''` where the token carries it. */
  readonly tregOrganization: string;
  /** undefined: there is no corporate login. */
  readonly oidc: OidcSettings | undefined;
  /** Hop count or CIDRs whose forwarding headers count; false = none. */
  readonly trustProxy: false | number | readonly string[];
  /** Addresses and CIDRs that may use the API; undefined = all. */
  readonly ipAllowlist: readonly string[] | undefined;
  /** Requests a minute for each credential, or each address without one; 0 = no limit. */
  readonly rateLimit: number;
  /** How the first workspace and its owner come about. */
  readonly firstRun: FirstRunMode;
  readonly logLevel: LogLevel;
  /** undefined = pretty on a terminal, else json. */
  readonly logFormat: LogFormat | undefined;

  constructor(values: HelixConfig) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}
