import { Injectable } from '@nestjs/common';

/** `degraded` = it serves, but a person should look; `down` = send no requests here. */
export type ReadinessState = 'ok' | 'degraded' | 'down';

export interface ReadinessReport {
  readonly state: ReadinessState;
  /** A sentence for the operator, without secrets; it is readable without a key. */
  readonly note?: string;
}

export type ReadinessCheck = () => Promise<ReadinessReport> | ReadinessReport;

/** A check that does not come back in this time counts as down: the asker has a time-out as well. */
const patienceMs = 2_000;

/**
 * What must hold for requests to be sent here. A module adds its own check when it starts:
 * `readiness.add('engine', () => engine.isRunning ? { state: 'ok' } : { state: 'down' })`.
 */
@Injectable()
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();

  add(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check);
  }

  /** Every check at once; the worst state counts. */
  async judge(): Promise<{ state: ReadinessState; checks: Record<string, ReadinessReport> }> {
    const reports = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await withPatience(check)] as const),
    );
    const states = reports.map(([, report]) => report.state);
    const state = states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok';
    return { state, checks: Object.fromEntries(reports) };
  }
}

async function withPatience(check: ReadinessCheck): Promise<ReadinessReport> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReadinessReport>((resolve) => {
    timer = setTimeout(
      () => resolve({ state: 'down', note: `No answer within ${patienceMs} ms.` }),
      patienceMs,
    );
  });
  try {
    return await Promise.race([Promise.resolve(check()), late]);
  } catch {
    return { state: 'down', note: 'The check failed; the log says why.' };
  } finally {
    clearTimeout(timer);
  }
}
