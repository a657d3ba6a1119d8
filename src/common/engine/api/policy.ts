import type { HelixError } from '../errors/helix-error.js';

/** Who asks at an edge, before anything of the request's body was read. */
export interface Applicant {
  /** Address of the network peer, IPv4-mapped IPv6 unwrapped. */
  readonly peer: string;
  /** Header values by lower-case name. */
  header(name: string): string | undefined;
}

/** `admit` returns null to let the applicant pass, or the error that refuses it. Synchronous policies cost no turn. */
export interface Policy {
  readonly name: string;
  admit(applicant: Applicant): HelixError | null | Promise<HelixError | null>;
}
