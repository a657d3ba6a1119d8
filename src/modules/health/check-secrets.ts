import type { KeyRotation } from '../../common/platform/crypto/key-rotation.js';
import type { ReadinessCheck, ReadinessReport } from './readiness.js';

/** Anybody may ask for readiness: the rows are counted at most this often, in milliseconds. */
const freshMs = 10_000;

/** Whether the ring has the key of every stored secret; the rest of Helix works without one. */
export function checkSecrets(rotation: Pick<KeyRotation, 'status'>): ReadinessCheck {
  let asked: { readonly at: number; readonly report: Promise<ReadinessReport> } | undefined;
  return () => {
    const now = performance.now();
    if (asked === undefined || now - asked.at >= freshMs) asked = { at: now, report: judge(rotation) };
    return asked.report;
  };
}

async function judge(rotation: Pick<KeyRotation, 'status'>): Promise<ReadinessReport> {
  try {
    const { missing } = await rotation.status();
    if (missing.length === 0) return { state: 'ok' };
    const note = `Stored secrets or API keys need keys that the keyring has not: ${missing.join(', ')}. Put them back.`;
    return { state: 'degraded', note };
  } catch {
    return { state: 'degraded', note: 'The stored secrets could not be counted.' };
  }
}
