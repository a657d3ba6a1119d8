import type { IncomingMessage } from 'node:http';
import type { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { applicantOf, type EdgeGuard } from '../../../common/engine/policies/index.js';

/** A request that was let in. */
export interface Admission {
  readonly caller: Caller;
  /** Counts further calls of the same request against the caller's rate; an error where there are too many. */
  charge(count: number): HelixError | null;
}

/** Decides who comes in, before anything of the body is read. The error refuses. */
export interface Door {
  admit(request: IncomingMessage): Admission | HelixError | Promise<Admission | HelixError>;
}

/** The door of `mcp-server://`: trusted proxy, address, key, rate. */
export class GuardedDoor implements Door {
  constructor(private readonly guard: EdgeGuard) {}

  admit(request: IncomingMessage): Admission | HelixError | Promise<Admission | HelixError> {
    const applicant = applicantOf(request);
    const { guard } = this;
    const admitted = (refusal: HelixError | null): Admission | HelixError =>
      refusal ?? {
        caller: guard.caller(applicant),
        charge: (count) => guard.rateLimit?.charge(applicant, count) ?? null,
      };
    const verdict = guard.admit(applicant);
    return verdict instanceof Promise ? verdict.then(admitted) : admitted(verdict);
  }
}
