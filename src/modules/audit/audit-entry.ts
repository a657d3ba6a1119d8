/** One line of the audit log: who did what, to what, from where. Never changed, never with a secret. */
export interface AuditEntry {
  /** `aud_` and a UUIDv7. */
  readonly id: string;
  readonly organizationId: string | null;
  /** `<target>.<verb>`, such as `apiKey.create`. */
  readonly action: string;
  readonly actorType: string;
  /** Public id of the credential, or the user's id for a session. */
  readonly actorId: string;
  /** The person behind the credential; null for the operator of the deployment. */
  readonly userId: string | null;
  /** Id of what was changed. */
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | null;
  /** Id of the HTTP request; null for what was done at the command line. */
  readonly requestId: string | null;
  readonly createdAt: Date;
}
