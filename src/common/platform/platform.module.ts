import { Global, Module, type DynamicModule } from '@nestjs/common';
import { HelixConfig } from './config/helix-config.js';
import { CryptoModule } from './crypto/crypto.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DatabaseServer } from './database/database-server.js';
import { HelixLog } from './logging/helix-log.js';
import { Metrics } from './metrics/metrics.js';

/** What is made before Nest and handed in, so that several apps in one process share nothing. */
export interface PlatformParts {
  readonly config: HelixConfig;
  readonly log: HelixLog;
  readonly metrics: Metrics;
  readonly server: DatabaseServer;
}

@Global()
@Module({})
class PartsModule {}

/**
 * The platform wing for one app. Everything here is injected by its class, anywhere, without an import:
 * `HelixConfig`, `HelixLog`, `Metrics`, `DatabaseServer`, `Transactions`, `UuidV7`, `Keyring`, `Envelope`, and
 * TypeORM's `DataSource`.
 */
@Module({})
export class PlatformModule {
  static with({ config, log, metrics, server }: PlatformParts): DynamicModule {
    const providers = [
      { provide: HelixConfig, useValue: config },
      { provide: HelixLog, useValue: log },
      { provide: Metrics, useValue: metrics },
      { provide: DatabaseServer, useValue: server },
    ];
    const parts: DynamicModule = { module: PartsModule, providers, exports: providers };
    return { module: PlatformModule, imports: [parts, DatabaseModule, CryptoModule] };
  }
}
