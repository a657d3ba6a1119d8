import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, machineCode, type ErrorCode } from '../../engine/errors/error-codes.js';

interface ClientError extends Error {
  readonly code?: string;
}

const codesOfParser: Readonly<Record<string, { readonly status: number; readonly code: ErrorCode }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'HTTP.BAD_REQUEST' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'HTTP.PAYLOAD_TOO_LARGE' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'HTTP.BAD_REQUEST' },
};
const unreadable = { status: 400, code: 'HTTP.BAD_REQUEST' } as const;

const messages: Readonly<Record<number, string>> = {
  400: 'This is no HTTP request that can be read.',
  408: 'The request did not arrive in time.',
  413: errorCodes['HTTP.PAYLOAD_TOO_LARGE'].summary,
  431: 'The head of the request is too large: shorten the address or the headers.',
};

/**
 * What node:http refuses by itself, before there is a request that the app could answer: it too gets the error body and
 * the id that every answer has. A connection on which an answer has begun is cut off, since more could be taken for a
 * part of it.
 */
export function answerUnreadable(server: Server, nextId: () => string): void {
  const underWay = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => underWay.set(socket, response));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const response = underWay.get(socket);
    const hasBegun = response?.headersSent === true && !response.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy();
    else socket.end(answerTo(error, nextId()), () => socket.destroy());
  });
  // Without a listener node:http answers 417 with no body. Nothing is expected here but 100-continue (RFC 9110, 10.1.1).
  server.on('checkExpectation', (_, response: ServerResponse) => {
    response.writeHead(417, { ...headersOf('HTTP.BAD_REQUEST', nextId()), Connection: 'close' });
    response.end(JSON.stringify({ error: 'Only the expectation 100-continue is met.' }));
  });
}

function answerTo(error: ClientError, id: string): string {
  const { status, code } = codesOfParser[error.code ?? ''] ?? unreadable;
  const body = JSON.stringify({ error: messages[status] });
  const headers = { ...headersOf(code, id), 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

function headersOf(code: ErrorCode, id: string): Record<string, string> {
  return {
    'X-Request-Id': id,
    'X-Helix-Error': machineCode(code),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
  };
}
