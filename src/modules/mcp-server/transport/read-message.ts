import type { IncomingMessage } from 'node:http';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { rpcCodes } from '../protocol/json-rpc.js';
import { JsonRefusal, readJson } from '../protocol/read-json.js';
import type { HttpRequest } from './http-request.js';
import { refuse, refuseUnread } from './send.js';

/**
 * The parsed body of a POST, or undefined once the request was refused. Waits for ever where the peer leaves in the
 * middle: the request is garbage then, with everything that waits.
 */
export async function readMessageBody(
  http: HttpRequest,
  mostBytes: number,
): Promise<{ value: unknown } | undefined> {
  const { request, response } = http;
  const problem = mediaProblem(request);
  if (problem) {
    refuseUnread(response, problem);
    return undefined;
  }
  const bytes = await readBody(request, mostBytes);
  if (bytes instanceof HelixError) {
    refuseUnread(response, bytes);
    return undefined;
  }
  try {
    return { value: readJson(bytes) };
  } catch (thrown) {
    if (!(thrown instanceof JsonRefusal)) throw thrown;
    refuse(response, 400, rpcCodes.parseError, thrown.message);
    return undefined;
  }
}

function mediaProblem(request: IncomingMessage): HelixError | null {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters
    .map((text) => text.trim().toLowerCase())
    .find((text) => text.startsWith('charset='));
  const isJson = type.trim().toLowerCase() === 'application/json';
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    return new HelixError('HTTP.UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8.');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return null;
  return new HelixError('HTTP.UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.');
}

/** The body up to `most` bytes. What says to be longer is not read at all; what turns out longer is cut. */
function readBody(request: IncomingMessage, most: number): Promise<Buffer | HelixError> {
  const tooLarge = (): HelixError =>
    new HelixError('HTTP.PAYLOAD_TOO_LARGE', `The body is larger than the ${most} bytes allowed here.`);
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.resolve(tooLarge());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data').pause();
      resolve(tooLarge());
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // A peer that leaves in the middle is an error event, and nobody is left to answer.
    request.on('error', () => undefined);
  });
}
