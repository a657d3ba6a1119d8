import { HelixError } from '../../common/engine/errors/helix-error.js';

const shape = /^[\w.-]{1,128}$/;

/**
 * The session a call names: `_meta.sessionId` of the request, or of its arguments as the contract words it.
 * @throws HelixError `TOOL.INVALID_ARGUMENTS` for anything but 1 to 128 of `[A-Za-z0-9_.-]`
 */
export function sessionIdOf(
  meta: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
): string | null {
  const id = ownValue(meta, 'sessionId') ?? ownValue(ownValue(args, '_meta'), 'sessionId');
  if (id === undefined || id === null) return null;
  if (typeof id === 'string' && shape.test(id)) return id;
  throw new HelixError(
    'TOOL.INVALID_ARGUMENTS',
    'The session id in _meta.sessionId must be text of 1 to 128 letters, digits, "_", "-" and "."',
  );
}

/** The arguments without `_meta`, which is addressed to the server and no argument of the tool. */
export function withoutMeta(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Object.hasOwn(args, '_meta')) return args;
  const { _meta, ...rest } = args;
  return rest;
}

function ownValue(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name)) return undefined;
  return (record as Record<string, unknown>)[name];
}
