import { Global, Module, type DynamicModule } from '@nestjs/common';
import { HelixConfig } from './config/helix-config.js';
import { CryptoModule } from './crypto/crypto.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DatabaseServer } from './database/database-server.js';
import { EgressGuard, GuardedHttpCaller } from './egress/index.js';
import { HelixLog } from './logging/helix-log.js';
import { Metrics } from './metrics/metrics.js';

/**
 * What the app is for: `own` = it serves. `visit` = a command that looks in while a Helix may run on the same home: it
 * must start nothing of the workspace.
 */
export class AppRole {
  constructor(readonly name: 'own' | 'visit') {}
}

/** What is made before Nest and handed in, so that several apps in one process share nothing. */
export interface PlatformParts {
  readonly config: HelixConfig;
  readonly log: HelixLog;
  readonly metrics: Metrics;
  readonly server: DatabaseServer;
  readonly role: AppRole;
}

@Global()
@Module({})
class PartsModule {}

/**
 * The platform wing for one app. Everything here is injected by its class, anywhere, without an import:
 * `HelixConfig`, `HelixLog`, `Metrics`, `AppRole`, `DatabaseServer`, `Transactions`, `UuidV7`, `Keyring`, `Envelope`,
 * `GuardedHttpCaller`, and TypeORM's `DataSource`.
 */
@Module({})
export class PlatformModule {
  static with({ config, log, metrics, server, role }: PlatformParts): DynamicModule {
    const providers = [
      { provide: HelixConfig, useValue: config },
      { provide: HelixLog, useValue: log },
      { provide: Metrics, useValue: metrics },
      { provide: DatabaseServer, useValue: server },
      { provide: AppRole, useValue: role },
      {
        provide: GuardedHttpCaller,
        useFactory: () => new GuardedHttpCaller(new EgressGuard(config.privateEgress)),
      },
    ];
    const parts: DynamicModule = { module: PartsModule, providers, exports: providers };
    return { module: PlatformModule, imports: [parts, DatabaseModule, CryptoModule] };
  }
}
