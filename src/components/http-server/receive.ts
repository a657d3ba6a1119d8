import type { IncomingMessage, ServerResponse } from 'node:http';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { decodeBody } from './decode-body.js';
import { covers, parseMediaType, type MediaType } from './media-type.js';
import type { HttpServerOptions } from './options.js';
import { checkLength, readBody } from './read-body.js';

type ReceiveOptions = Pick<HttpServerOptions, 'consumes' | 'max-body-bytes' | 'body-as'>;

/**
 * Checks what the headers say of the body, then reads and decodes it.
 * @throws HelixError `HTTP.UNSUPPORTED_MEDIA_TYPE`, `HTTP.PAYLOAD_TOO_LARGE`, `HTTP.BAD_REQUEST`, `ENGINE.CANCELLED`
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiveOptions,
): Promise<unknown> {
  const media = mediaOf(request, options.consumes);
  const maxBytes = options['max-body-bytes'];
  checkLength(request, maxBytes);
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await readBody(request, maxBytes);
  return options['body-as'] === 'auto' ? decodeBody(bytes, media) : bytes;
}

function mediaOf(request: IncomingMessage, consumes: readonly string[]): MediaType | null {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body without a Content-Encoding.');
  }
  const given = request.headers['content-type'];
  const media = given === undefined ? null : parseMediaType(given);
  if (given !== undefined && !media) throw unsupported('The Content-Type header is no media type.');
  if (consumes.length > 0 && !covers(consumes, media?.type ?? 'application/octet-stream')) {
    throw unsupported(`Send one of ${consumes.join(', ')}.`);
  }
  return media;
}

function unsupported(message: string): HelixError {
  return new HelixError('HTTP.UNSUPPORTED_MEDIA_TYPE', message);
}
