import { Module } from '@nestjs/common';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { EgressGuard, GuardedHttpCaller } from '../../common/platform/egress/index.js';
import { TregClient } from './treg-client.js';

/** Speaks Treg's HTTP API, for whoever needs it: the catalogue of tools and the check of a saved connection. */
@Module({
  providers: [
    {
      provide: GuardedHttpCaller,
      useFactory: (config: HelixConfig) => new GuardedHttpCaller(new EgressGuard(config.privateEgress)),
      inject: [HelixConfig],
    },
    TregClient,
  ],
  exports: [TregClient],
})
export class TregModule {}
