import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { DeadLetterComponent } from '../../components/dead-letter/index.js';
import { DeadLetterEntity } from './dead-letter.entity.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { DeadLettersService } from './dead-letters.service.js';
import { LetterReplay } from './letter-replay.js';
import { LetterRetention } from './letter-retention.js';

/**
 * Fills what `dead-letter://` asks of the world. More than the usual nine files: letter-replay.ts sends letters to their
 * workflows again, letter-retention.ts deletes those that were kept long enough.
 */
@Module({
  imports: [TypeOrmModule.forFeature([DeadLetterEntity])],
  controllers: [DeadLettersController],
  providers: [
    DeadLettersRepository,
    DeadLettersService,
    LetterReplay,
    LetterRetention,
    {
      provide: DeadLetterComponent,
      useFactory: (store: DeadLettersService, log: HelixLog) => new DeadLetterComponent(store, log),
      inject: [DeadLettersService, HelixLog],
    },
  ],
})
export class DeadLettersModule {}
