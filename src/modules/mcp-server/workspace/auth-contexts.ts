import type { IncomingMessage } from 'node:http';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { callerOf, type AuthContext } from '../../access/index.js';
import type { Admission, Door } from '../security/door.js';

/**
 * Carries what the guards proved from the request to the call: the protocol in between knows callers only. Every request
 * has a caller object of its own, so that nothing proved outlives it.
 */
export class AuthContexts implements Door {
  readonly #ofRequest = new WeakMap<IncomingMessage, AuthContext>();
  readonly #ofCaller = new WeakMap<Caller, AuthContext>();

  present(request: IncomingMessage, auth: AuthContext): void {
    this.#ofRequest.set(request, auth);
  }

  admit(request: IncomingMessage): Admission | HelixError {
    const auth = this.#ofRequest.get(request);
    if (!auth) return new HelixError('ACCESS.UNAUTHENTICATED', 'No valid session or API key.');
    const caller = callerOf(auth, null);
    this.#ofCaller.set(caller, auth);
    return { caller, charge: () => null };
  }

  /** @throws HelixError `ENGINE.INTERNAL` for a caller that did not come in here */
  of(caller: Caller): AuthContext {
    const auth = this.#ofCaller.get(caller);
    if (auth) return auth;
    throw new HelixError(
      'ENGINE.INTERNAL',
      'The caller did not come through the door of the workspace endpoint.',
    );
  }
}
