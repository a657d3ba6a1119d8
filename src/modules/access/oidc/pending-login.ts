/** How long a person may take at the identity provider, in milliseconds. */
export const patienceMs = 10 * 60_000;

/** A login that has begun: kept in the browser's session until it comes back, used once. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Path of this site to go to afterwards. */
  readonly returnTo: string;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
}

declare module 'express-session' {
  interface SessionData {
    pendingLogin: PendingLogin;
  }
}
