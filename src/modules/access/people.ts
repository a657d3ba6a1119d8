/** A person as access needs to know them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** Lower case; null for whoever has none. */
  readonly email: string | null;
  /** Whether the address was proved: by an invitation, the operator, or a corporate login. */
  readonly isVerified: boolean;
  /** null: no login with a password. */
  readonly passwordHash: string | null;
}

/** What access asks of whoever keeps the accounts of people. */
export abstract class People {
  abstract find(id: string): Promise<Person | null>;
  /** In any spelling of case. */
  abstract findByEmail(email: string): Promise<Person | null>;
  abstract setPasswordHash(id: string, hash: string): Promise<void>;
}
