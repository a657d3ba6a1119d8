import { Module } from '@nestjs/common';
import { HealthModule } from './modules/health/index.js';

/** Every module of Helix. The platform wing comes with `HelixApp.create` and needs no import. */
@Module({ imports: [HealthModule] })
export class AppModule {}
