/**
 * The workspace as it was loaded at the start or by a reload. An exchange stays on the version it began on, whatever is
 * loaded meanwhile.
 */
export class WorkspaceVersion {
  /** Exchanges on their way that began on it. */
  inFlight = 0;

  /** @param number counts from 1; a later version has a higher one */
  constructor(readonly number: number) {}
}
