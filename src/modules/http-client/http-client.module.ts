import { Module } from '@nestjs/common';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { EgressGuard, GuardedHttpCaller } from '../../common/platform/egress/index.js';
import { HttpComponent } from '../../components/http/index.js';
import { systemClock } from '../workflow-engine/index.js';

const make = (scheme: 'http' | 'https') => ({
  provide: `${scheme}://`,
  useFactory: (caller: GuardedHttpCaller) => new HttpComponent(scheme, caller, systemClock),
  inject: [GuardedHttpCaller],
});

/** Fills what `http://` and `https://` ask of the world. */
@Module({
  providers: [
    {
      provide: GuardedHttpCaller,
      useFactory: (config: HelixConfig) => new GuardedHttpCaller(new EgressGuard(config.privateEgress)),
      inject: [HelixConfig],
    },
    make('http'),
    make('https'),
  ],
})
export class HttpClientModule {}
