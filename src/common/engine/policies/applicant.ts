import type { IncomingMessage } from 'node:http';
import type { Applicant } from '../api/policy.js';
import { normaliseAddress } from './ip-address.js';

/** Who stands behind a request of node:http. Nothing of the body is read. */
export function applicantOf(request: IncomingMessage): Applicant {
  const { headers, socket } = request;
  return {
    peer: normaliseAddress(socket.remoteAddress ?? ''),
    header: (name) => {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}
