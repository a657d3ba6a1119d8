import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { AppRole } from '../../common/platform/platform.module.js';
import { DeadLettersRepository } from './dead-letters.repository.js';

const everyMs = 3_600_000;

/** Deletes letters whose time is over: at the start and each hour. */
@Injectable()
export class LetterRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly letters: DeadLettersRepository,
    private readonly role: AppRole,
    private readonly log: HelixLog,
  ) {}

  onApplicationBootstrap(): void {
    if (this.role.name === 'visit') return;
    this.#sweeping = this.sweep();
    this.#timer = setInterval(() => {
      this.#sweeping = this.sweep();
    }, everyMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async sweep(): Promise<void> {
    try {
      const swept = await this.letters.sweep();
      if (swept > 0)
        this.log.write('info', `${swept} dead letters had been kept long enough and are deleted`);
    } catch (error) {
      this.log.write('warn', 'Dead letters whose time is over could not be deleted.', { error });
    }
  }
}
