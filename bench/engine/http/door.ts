import type { IncomingMessage } from 'node:http';
import { readOptions } from '../../../src/common/engine/api/options.js';
import { EndpointUri } from '../../../src/common/engine/model/endpoint-uri.js';
import { applicantOf, EdgeGuard, guardOptions } from '../../../src/common/engine/policies/index.js';
import { systemClock } from '../../../src/modules/workflow-engine/system-clock.js';
import { cpuSince, mustFail, race, type Contestant } from '../../support/race.js';

const REQUESTS = 200_000;

const checks = {
  none: '',
  address: 'ip_allowlist=127.0.0.1,10.0.0.0/8',
  rate: 'rate_limit=100000000',
  key: 'api_keys=k1',
  'twenty keys': `api_keys=${Array.from({ length: 20 }, (_, i) => `k${i}`).join(',')}`,
  'address, key and rate': 'api_keys=k1&ip_allowlist=127.0.0.1,10.0.0.0/8&rate_limit=100000000',
};

/** Nanoseconds of processor time for judging a request and naming its caller. */
function cost(guard: EdgeGuard, key: string): number {
  const from = process.cpuUsage();
  for (let turn = 0; turn < REQUESTS; turn++) {
    // Made anew each time, as node:http does.
    const headers = { 'x-api-key': Buffer.from(key).toString('latin1') };
    const applicant = applicantOf({
      headers,
      socket: { remoteAddress: '127.0.0.1' },
    } as unknown as IncomingMessage);
    if (guard.admit(applicant) !== null) throw new Error('refused');
    guard.caller(applicant);
  }
  return (cpuSince(from) * 1000) / REQUESTS;
}

/** What each check at the door costs by itself, without a server around it. */
export async function door(): Promise<void> {
  const guards = Object.entries(checks).map(([name, query]) => {
    const uri = EndpointUri.parse(`http-server://127.0.0.1:1/x?${query}`);
    return { name, guard: new EdgeGuard(uri, readOptions(uri, guardOptions), systemClock) };
  });
  for (const { name, guard } of guards)
    if (name.includes('key')) await mustFail('a wrong key', () => cost(guard, 'wrong'));
  const contestants = guards.map(({ name, guard }): Contestant => ({
    name,
    measure: () => cost(guard, 'k1'),
  }));
  await race('A request judged at the door', contestants, { rounds: 9, unit: 'ns CPU per request' });
}
