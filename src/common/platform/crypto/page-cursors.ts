import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../engine/errors/helix-error.js';
import { canonicalJson } from './canonical-json.js';
import { Keyring } from './keyring.js';

/**
 * The last item of a page. `createdAt`: UTC with microseconds, as PostgreSQL writes it; `id`: a short prefix and a
 * UUID. Through a Date, rows of one millisecond would be skipped.
 */
export interface PagePosition {
  readonly createdAt: string;
  readonly id: string;
}

/** The list a cursor belongs to: another list, workspace or filter makes it invalid. */
export interface ListIdentity {
  readonly list: string;
  readonly filter: Readonly<Record<string, string | null | readonly string[]>>;
}

/** SQL of a row's `createdAt` as a {@link PagePosition} has it. */
export const positionOf = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

const positionForm = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}) ([a-z]{2,8}_[0-9a-f-]{36})$/;
const macLength = 16;

/** Cursors: a position with a MAC over it and the list it belongs to, so that none can be made up or carried over. */
@Injectable()
export class PageCursors {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  constructor(keyring: Keyring) {
    this.#keys = keyring.subKeys('cursor-mac');
  }

  write({ createdAt, id }: PagePosition, list: ListIdentity): string {
    return this.seal(`${createdAt} ${id}`, list);
  }

  /** A cursor of a list that knows its positions by another text. */
  seal(text: string, list: ListIdentity): string {
    return Buffer.concat([macOf(this.#keys[0], text, list), Buffer.from(text)]).toString('base64url');
  }

  /** @throws HelixError `HTTP.INVALID_CURSOR` */
  read(cursor: string, list: ListIdentity): PagePosition {
    const [, createdAt, id] = positionForm.exec(this.open(cursor, list)) ?? [];
    if (createdAt === undefined || id === undefined) throw invalidCursor();
    return { createdAt, id };
  }

  /** The text that was sealed. @throws HelixError `HTTP.INVALID_CURSOR` */
  open(cursor: string, list: ListIdentity): string {
    const bytes = Buffer.from(cursor, 'base64url');
    const text = bytes.subarray(macLength).toString();
    const mac = bytes.subarray(0, macLength);
    const isOurs =
      mac.length === macLength &&
      bytes.toString('base64url') === cursor &&
      this.#keys.some((key) => timingSafeEqual(macOf(key, text, list), mac));
    if (!isOurs) throw invalidCursor();
    return text;
  }
}

function invalidCursor(): HelixError {
  return new HelixError(
    'HTTP.INVALID_CURSOR',
    'The cursor does not belong to this list: send nextCursor of the previous page as it was, with the same filter.',
  );
}

function macOf(key: Buffer, text: string, { list, filter }: ListIdentity): Buffer {
  const data = canonicalJson([list, filter, text]);
  return createHmac('sha256', key).update(data).digest().subarray(0, macLength);
}
