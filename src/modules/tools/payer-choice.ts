import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { canReserve, FundingService, headroomOf } from '../funding/index.js';
import type {
  CatalogueTool,
  Funding,
  FundingReadiness,
  FundingSource,
  Readiness,
  ToolDescriptor,
} from './tool-descriptor.js';
import type { Connected } from './tool-provider.js';
import { ToolProviders } from './tool-providers.js';

/** What the sources of one workspace can do now: each is asked once, however many tools there are. */
interface Sources {
  connect(tool: CatalogueTool, source: FundingSource): Promise<Connected>;
  headroom(): Promise<number>;
}

/** Decides who pays for a call, and tells in descriptors who could. */
@Injectable()
export class PayerChoice {
  constructor(
    private readonly providers: ToolProviders,
    private readonly funding: FundingService,
    private readonly config: HelixConfig,
  ) {}

  /**
   * `auto`: the workspace's connection where it can be used, else the wallet. What is free, and what nobody measures,
   * is paid by nobody, whatever was asked for.
   * @throws HelixError `CALL.CONNECTION_UNAVAILABLE`
   */
  async choose(organizationId: string, tool: CatalogueTool, funding: Funding): Promise<FundingSource> {
    const sources = this.#sourcesOf(organizationId);
    const wanted = candidates(tool, funding);
    const reasons: string[] = [];
    for (const source of wanted) {
      const connected = await sources.connect(tool, source);
      if (connected.isReady) return source;
      reasons.push(connected.reason);
    }
    throw new HelixError('CALL.CONNECTION_UNAVAILABLE', reasons.join(' '));
  }

  async describe(organizationId: string, tools: readonly CatalogueTool[]): Promise<ToolDescriptor[]> {
    const sources = this.#sourcesOf(organizationId);
    return Promise.all(
      tools.map(async (tool) => ({ ...tool, funding: await this.#readiness(tool, sources) })),
    );
  }

  async #readiness(tool: CatalogueTool, sources: Sources): Promise<FundingReadiness> {
    if (!isPaid(tool)) {
      const readiness = readinessOf(await sources.connect(tool, 'none'));
      const source = readiness.ready ? ('none' as const) : null;
      return { auto: { ...readiness, source }, hlix: readiness, organization: readiness };
    }
    const organization = readinessOf(await sources.connect(tool, 'organization'));
    const platform = readinessOf(await sources.connect(tool, 'hlix'));
    const hlix = platform.ready ? this.#walletReadiness(tool, await sources.headroom()) : platform;
    const source = organization.ready ? 'organization' : platform.ready ? 'hlix' : null;
    const auto =
      source === 'organization'
        ? organization
        : source === 'hlix'
          ? hlix
          : { ready: false, reason: [organization.reason, hlix.reason].join(' ') };
    return { auto: { ...auto, source }, hlix, organization };
  }

  #walletReadiness({ pricing }: CatalogueTool, headroom: number): Readiness {
    const amount = pricing.estimateMicros ?? this.config.reservationMicros;
    if (canReserve(headroom, amount)) return ready;
    return {
      ready: false,
      reason: `The wallet has ${headroom} USD micros free, and a call reserves ${amount}: top it up.`,
    };
  }

  #sourcesOf(organizationId: string): Sources {
    const connected = new Map<string, Promise<Connected>>();
    let headroom: Promise<number> | undefined;
    return {
      connect: (tool, source) => {
        const key = `${source} ${tool.provider}`;
        const known = connected.get(key) ?? this.#connect(organizationId, tool.provider, source);
        connected.set(key, known);
        return known;
      },
      headroom: () => (headroom ??= this.funding.wallet(organizationId).then(headroomOf)),
    };
  }

  async #connect(organizationId: string, providerId: string, source: FundingSource): Promise<Connected> {
    const provider = this.providers.find(providerId);
    return provider
      ? provider.connect({ organizationId, source })
      : { isReady: false, reason: 'The provider of the tool is not configured.' };
  }
}

const ready: Readiness = { ready: true, reason: null };

function readinessOf(connected: Connected): Readiness {
  return connected.isReady ? ready : { ready: false, reason: connected.reason };
}

/** An upstream whose price is unknown is paid all the same; of a native tool nobody else could know. */
function isPaid({ pricing, origin }: CatalogueTool): boolean {
  return pricing.model !== 'free' && (pricing.model !== 'unknown' || origin === 'upstream');
}

function candidates(tool: CatalogueTool, funding: Funding): readonly FundingSource[] {
  if (!isPaid(tool)) return ['none'];
  return funding === 'auto' ? ['organization', 'hlix'] : [funding];
}
