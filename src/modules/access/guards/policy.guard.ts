import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Applicant, Policy } from '../../../common/engine/api/policy.js';
import {
  AddressSet,
  admitAll,
  IpAllowlistPolicy,
  normaliseAddress,
  RateLimitPolicy,
} from '../../../common/engine/policies/index.js';
import { HelixConfig } from '../../../common/platform/config/helix-config.js';
import { parseCredential } from '../keys/api-key-format.js';
import { ruleOf } from '../operation-rule.js';

/**
 * 403 and 429 before anything else: may this address connect, and not too often? The engine's own policies, judged at
 * the REST edge; the client's address is the one that the trusted proxies vouch for.
 */
@Injectable()
export class PolicyGuard implements CanActivate {
  readonly #policies: readonly Policy[];
  readonly #rate: RateLimitPolicy | undefined;

  constructor(
    private readonly reflector: Reflector,
    { ipAllowlist, rateLimit }: HelixConfig,
  ) {
    const allowlist =
      ipAllowlist &&
      new IpAllowlistPolicy(new AddressSet(ipAllowlist, 'HELIX_IP_ALLOWLIST'), new AddressSet([]));
    if (rateLimit > 0)
      this.#rate = new RateLimitPolicy({ perMinute: rateLimit, clock: Date, principal: bucketOf });
    this.#policies = [...(allowlist ? [allowlist] : []), ...(this.#rate ? [this.#rate] : [])];
  }

  /** In the order in which they judge. */
  get policies(): readonly string[] {
    return this.#policies.map(({ name }) => name);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Probes and documentation have no rule and ask for nothing.
    if (this.#policies.length === 0 || ruleOf(this.reflector, context) === undefined) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const applicant = applicantOf(request);
    const refusal = await admitAll(this.#policies, applicant);
    if (this.#rate) context.switchToHttp().getResponse<Response>().set(this.#rate.headersFor(applicant));
    if (refusal !== null) throw refusal;
    return true;
  }
}

function applicantOf(request: Request): Applicant {
  return {
    peer: normaliseAddress(request.ip ?? ''),
    header: (name) => request.get(name),
  };
}

/** The credential that is shown, by its public id, else the address: it need not be a valid one to have a bucket. */
function bucketOf(applicant: Applicant): string {
  const credential = parseCredential(applicant.header('x-api-key') ?? '');
  return credential === null ? applicant.peer : `${applicant.peer} ${credential.id}`;
}
