import type { Applicant, Policy } from '../api/policy.js';
import type { HelixError } from '../errors/helix-error.js';

/**
 * Asks the policies in order; the first refusal is the verdict and the rest is not asked. Costs no turn of the event
 * loop as long as the policies answer synchronously.
 */
export function admitAll(
  policies: readonly Policy[],
  applicant: Applicant,
): HelixError | null | Promise<HelixError | null> {
  let asked = 0;
  for (const policy of policies) {
    asked++;
    const verdict = policy.admit(applicant);
    if (verdict instanceof Promise) {
      const rest = policies.slice(asked);
      return verdict.then((late) => late ?? admitAll(rest, applicant));
    }
    if (verdict !== null) return verdict;
  }
  return null;
}
