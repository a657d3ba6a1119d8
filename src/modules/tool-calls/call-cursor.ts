import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { Keyring } from '../../common/platform/crypto/keyring.js';
import { canonicalJson } from '../../common/platform/crypto/canonical-json.js';

/** The last call of a page. `createdAt`: UTC with microseconds, as PostgreSQL writes it. */
export interface CallPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** The list a cursor belongs to: another workspace or filter makes it invalid. */
export type ListIdentity = Readonly<Record<string, string | null | readonly string[]>>;

const positionForm = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}) (call_[0-9a-f-]{36})$/;
const macLength = 16;

/** Cursors: a position with a MAC over it and the list it belongs to, so that none can be made up or carried over. */
@Injectable()
export class CallCursors {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  constructor(keyring: Keyring) {
    this.#keys = keyring.subKeys('cursor-mac');
  }

  write({ createdAt, id }: CallPosition, list: ListIdentity): string {
    const text = `${createdAt} ${id}`;
    return Buffer.concat([macOf(this.#keys[0], text, list), Buffer.from(text)]).toString('base64url');
  }

  /** @throws HelixError `CALL.INVALID_CURSOR` */
  read(cursor: string, list: ListIdentity): CallPosition {
    const bytes = Buffer.from(cursor, 'base64url');
    const text = bytes.subarray(macLength).toString();
    const mac = bytes.subarray(0, macLength);
    const isOurs =
      mac.length === macLength &&
      bytes.toString('base64url') === cursor &&
      this.#keys.some((key) => timingSafeEqual(macOf(key, text, list), mac));
    const [, createdAt, id] = (isOurs && positionForm.exec(text)) || [];
    if (createdAt === undefined || id === undefined)
      throw new HelixError(
        'CALL.INVALID_CURSOR',
        'The cursor does not belong to this list: send nextCursor of the previous page as it was, with the same filter.',
      );
    return { createdAt, id };
  }
}

function macOf(key: Buffer, text: string, list: ListIdentity): Buffer {
  const data = canonicalJson(['tool-calls', list, text]);
  return createHmac('sha256', key).update(data).digest().subarray(0, macLength);
}
