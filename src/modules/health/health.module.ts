import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { KeyRotation } from '../../common/platform/crypto/key-rotation.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { Metrics } from '../../common/platform/metrics/metrics.js';
import { HealthController } from './health.controller.js';
import { checkSecrets } from './check-secrets.js';
import { addProcessMetrics } from './process-metrics.js';
import { Readiness } from './readiness.js';

/** `/health/live`, `/health/ready` and `/metrics`. Global, so that any module may add a check of its own. */
@Global()
@Module({ controllers: [HealthController], providers: [Readiness], exports: [Readiness] })
export class HealthModule implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly dataSource: DataSource,
    private readonly rotation: KeyRotation,
    private readonly log: HelixLog,
  ) {}

  onModuleInit(): void {
    addProcessMetrics(this.metrics);
    this.readiness.add('database', async () => {
      try {
        await this.dataSource.query('SELECT 1');
        return { state: 'ok' };
      } catch (error) {
        this.log.write('warn', 'The database does not answer.', { error });
        return { state: 'down', note: 'The database does not answer.' };
      }
    });
    this.readiness.add('secrets', checkSecrets(this.rotation));
  }
}
