import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Identity } from './auth-context.js';
import { People } from './people.js';

/** What only a person may do, not a key: a stolen key can be revoked, what it made for itself would stay. */
@Injectable()
export class SessionLevel {
  constructor(private readonly people: People) {}

  /**
   * @param level `any` session, or one of a person whose e-mail address was `verified`
   * @throws HelixError `ACCESS.SESSION_REQUIRED`, `ACCESS.UNVERIFIED_SESSION`
   */
  async check(identity: Identity, level: 'any' | 'verified'): Promise<void> {
    if (identity.type !== 'user')
      throw new HelixError(
        'ACCESS.SESSION_REQUIRED',
        'This is for people with a browser session, not for API keys.',
      );
    if (level === 'any' || (await this.people.find(identity.userId))?.isVerified) return;
    throw new HelixError(
      'ACCESS.UNVERIFIED_SESSION',
      'This needs a session of a person whose e-mail address was verified.',
    );
  }
}
