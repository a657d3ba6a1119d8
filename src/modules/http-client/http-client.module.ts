import { Module } from '@nestjs/common';
import { GuardedHttpCaller } from '../../common/platform/egress/index.js';
import { HttpComponent } from '../../components/http/index.js';
import { systemClock } from '../workflow-engine/index.js';

const make = (scheme: 'http' | 'https') => ({
  provide: `${scheme}://`,
  useFactory: (caller: GuardedHttpCaller) => new HttpComponent(scheme, caller, systemClock),
  inject: [GuardedHttpCaller],
});

/** Fills what `http://` and `https://` ask of the world. */
@Module({
  providers: [make('http'), make('https')],
})
export class HttpClientModule {}
