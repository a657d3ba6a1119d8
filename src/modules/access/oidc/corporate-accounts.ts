import type { Person } from '../people.js';

/** Who someone is, as the corporate login has proved it. */
export interface CorporateIdentity {
  readonly issuer: string;
  /** Never given to another person by this issuer, unlike the address. */
  readonly subject: string;
  /** Lower case, verified, of an allowed domain. */
  readonly email: string;
  readonly name: string;
}

/** What access asks of whoever keeps the accounts of people. */
export abstract class CorporateAccounts {
  /**
   * The person of this identity: the one it is bound to, else one it can be bound to now, else a new one.
   * @param loggedIn whose session the browser has already
   * @throws HelixError `ACCESS.ACCOUNT_EXISTS`, `ACCESS.LOGIN_REFUSED`
   */
  abstract admit(
    identity: CorporateIdentity,
    loggedIn: Person | null,
    address: string | null,
  ): Promise<Person>;
}
