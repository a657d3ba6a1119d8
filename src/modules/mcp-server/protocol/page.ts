import { RpcError, rpcCodes } from './json-rpc.js';

/** Large, since many clients read the first page only. */
export const pageSize = 500;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/**
 * A page of items ordered by name. The cursor holds the last name seen, so that a walk ends and skips nothing that
 * stayed, even when the list changes under way.
 * @throws RpcError invalid params for a cursor that is not ours
 */
export function pageOf<T extends { readonly name: string }>(items: readonly T[], cursor: unknown): Page<T> {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const start = after === '' ? 0 : firstAfter(items, after);
  const page = items.length <= pageSize ? items.slice(start) : items.slice(start, start + pageSize);
  const last = page.at(-1);
  if (last === undefined || start + page.length >= items.length) return { items: page };
  return { items: page, nextCursor: Buffer.from(last.name).toString('base64url') };
}

function firstAfter(items: readonly { readonly name: string }[], name: string): number {
  const index = items.findIndex((item) => item.name > name);
  return index < 0 ? items.length : index;
}

function readCursor(cursor: unknown): string {
  if (typeof cursor === 'string' && /^[A-Za-z0-9_-]{1,200}$/.test(cursor)) {
    const name = Buffer.from(cursor, 'base64url').toString('utf8');
    if (/^[\w.-]+$/.test(name)) return name;
  }
  throw new RpcError(rpcCodes.invalidParams, 'The cursor does not belong to this list.');
}
