import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Metrics } from '../../common/platform/metrics/metrics.js';
import { Readiness, type ReadinessReport, type ReadinessState } from './readiness.js';

interface Health {
  readonly status: ReadinessState;
  readonly checks: Readonly<Record<string, ReadinessReport>>;
}

/** For probes and scrapers, without a key: it tells states, never contents. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** 200 while the process runs its event loop. */
  @Get('health/live')
  live(): Health {
    return { status: 'ok', checks: {} };
  }

  /** 200 where requests may be sent (`ok`, `degraded`), 503 where not; both say which part is the reason. */
  @Get('health/ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Health> {
    const { state, checks } = await this.readiness.judge();
    if (state === 'down') response.status(503);
    return { status: state, checks };
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  numbers(): string {
    return this.metrics.render();
  }
}
