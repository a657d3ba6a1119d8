import type { IncomingMessage } from 'node:http';
import type { Applicant } from '../api/policy.js';
import { remembering } from '../model/remember.js';
import { normaliseAddress } from './ip-address.js';

/** The same peers come again with every request. */
const peerOf = remembering(normaliseAddress);

/** Who stands behind a request of node:http. Nothing of the body is read. */
export function applicantOf(request: IncomingMessage): Applicant {
  const { headers, socket } = request;
  return {
    peer: peerOf(socket.remoteAddress ?? ''),
    header: (name) => {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}
