import { isRecord } from '../../common/engine/model/is-record.js';
import type { Message } from '../../common/engine/model/message.js';
import type { ContentBlock } from './tool-source.js';

/** A result whose author wrote it in the blocks of MCP. */
export interface BlockResult {
  readonly content: readonly ContentBlock[];
  readonly structured?: unknown;
  readonly isError?: boolean;
}

const resultKeys: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError']);

/**
 * The blocks of a reply, or null where it is a value like any other: bytes with a `Content-Type` of an image or a sound
 * become that block; an object of nothing but `content` (sound blocks), `structuredContent` and `isError` is a result of
 * MCP as it stands.
 */
export function blocksOf(message: Message): BlockResult | null {
  const { body } = message;
  if (body instanceof Uint8Array) {
    const block = mediaBlock(body, mediaTypeOf(message));
    return block === null ? null : { content: [block] };
  }
  if (!isData(body) || !Array.isArray(body['content']) || body['content'].length === 0) return null;
  const { content, structuredContent, isError } = body;
  const isResult =
    Object.keys(body).every((key) => resultKeys.has(key)) &&
    (content as unknown[]).every(isBlock) &&
    (isError === undefined || typeof isError === 'boolean') &&
    (structuredContent === undefined || isData(structuredContent));
  if (!isResult) return null;
  return {
    content: content as readonly ContentBlock[],
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(isError === true ? { isError } : {}),
  };
}

/** `image/png` of `image/png; q=1`; an empty text where there is none. */
export function mediaTypeOf(message: Message): string {
  const type = message.headers.get('Content-Type');
  return typeof type === 'string' ? (type.split(';')[0] ?? '').trim().toLowerCase() : '';
}

export function mediaBlock(bytes: Uint8Array, mimeType: string): ContentBlock | null {
  const type = /^(image|audio)\//.exec(mimeType)?.[1];
  if (type !== 'image' && type !== 'audio') return null;
  return { type, data: Buffer.from(bytes).toString('base64'), mimeType };
}

export function isBlock(value: unknown): value is ContentBlock {
  if (!isData(value)) return false;
  const isText = (name: string): boolean => typeof value[name] === 'string';
  switch (value['type']) {
    case 'text':
      return isText('text');
    case 'image':
    case 'audio':
      return isText('data') && isText('mimeType');
    case 'resource_link':
      return isText('uri') && isText('name');
    case 'resource': {
      const { resource } = value;
      if (!isData(resource) || typeof resource['uri'] !== 'string') return false;
      return typeof resource['text'] === 'string' || typeof resource['blob'] === 'string';
    }
    default:
      return false;
  }
}

/** Bytes are content of their own. */
function isData(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Uint8Array);
}
