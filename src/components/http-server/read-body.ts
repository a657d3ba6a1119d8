import type { IncomingMessage } from 'node:http';
import { HelixError } from '../../common/engine/errors/helix-error.js';

/** Whether a body follows the headers (RFC 9112, 6.3). */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** @throws HelixError `HTTP.PAYLOAD_TOO_LARGE` by what the headers say, before anything is read */
export function checkLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * The whole body. Reading stops at the byte that is one too many.
 * @throws HelixError `HTTP.PAYLOAD_TOO_LARGE`, or `ENGINE.CANCELLED` when the client leaves before the end
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // The listeners stay: the request goes with its answer, and taking them off costs more than asking here.
    let isSettled = false;
    request.on('data', (chunk: Buffer) => {
      if (isSettled) return;
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      request.pause();
      isSettled = true;
      reject(tooLarge(maxBytes));
    });
    request.on('end', () => {
      if (isSettled) return;
      isSettled = true;
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    const onGone = (): void => {
      if (isSettled) return;
      isSettled = true;
      reject(new HelixError('ENGINE.CANCELLED', 'The client left before the request was complete.'));
    };
    request.on('error', onGone).on('close', onGone);
  });
}

function tooLarge(maxBytes: number): HelixError {
  return new HelixError('HTTP.PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    details: { maxBytes },
  });
}
