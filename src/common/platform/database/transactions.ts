import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { HelixError } from '../../engine/errors/helix-error.js';
import { HelixLog } from '../logging/helix-log.js';
import { sqlStateOf } from './query-failures.js';

interface OpenTransaction {
  readonly manager: EntityManager;
  readonly afterCommit: (() => unknown)[];
  isOpen: boolean;
}

/** Serialization failure and deadlock: the transaction did nothing and may run again. */
const repeatable = new Set(['40001', '40P01']);
const attempts = 4;

/**
 * The only way a transaction begins. It is carried by the asynchronous context, so services need not hand it on:
 *
 * ```ts
 * await this.tx.run(async () => {
 *   const tool = await this.tools.save(draft);             // the repository asks `tx.manager`
 *   this.tx.afterCommit(() => this.shelf.refresh(tool));   // runs once the commit is durable
 * });
 * ```
 *
 * A repository is the file that sees the entity: `this.tx.manager.getRepository(ToolEntity)`, in a transaction or out
 * of one. Keep calls to the outside world out of `run`: a connection and its locks are held as long as it lasts.
 */
@Injectable()
export class Transactions {
  readonly #current = new AsyncLocalStorage<OpenTransaction>();
  readonly #dataSource: DataSource;
  readonly #log: HelixLog;

  constructor(dataSource: DataSource, log: HelixLog) {
    this.#dataSource = dataSource;
    this.#log = log;
  }

  /**
   * Runs `work` in a transaction: the one that is open already, else a new one. Where PostgreSQL asks for it
   * (SQLSTATE 40001, 40P01), `work` runs again from its beginning, at most four times in all: it must change nothing
   * outside the database. What it throws rolls everything back.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#current.getStore()?.isOpen) return work();
    for (let attempt = 1; ; attempt++) {
      const afterCommit: (() => unknown)[] = [];
      try {
        const result = await this.#dataSource.transaction((manager) =>
          this.#inside(manager, afterCommit, work),
        );
        await this.#follow(afterCommit);
        return result;
      } catch (error) {
        if (attempt >= attempts || !repeatable.has(sqlStateOf(error) ?? '')) throw error;
        this.#log.write('debug', 'A transaction collided with another one and runs again.', { attempt });
      }
    }
  }

  /**
   * Runs `task` after the commit of the open transaction and never if it rolls back; at once where none is open.
   * What it throws is logged: the commit cannot be taken back. `run` returns when it is done.
   */
  afterCommit(task: () => unknown): void {
    const open = this.#current.getStore();
    if (open?.isOpen) open.afterCommit.push(task);
    else void this.#follow([task]);
  }

  /** The manager of the open transaction, else the one that takes a connection for each statement. */
  get manager(): EntityManager {
    const open = this.#current.getStore();
    if (open === undefined) return this.#dataSource.manager;
    if (!open.isOpen)
      throw new HelixError(
        'ENGINE.INTERNAL',
        'A task went on after the transaction it began in had ended: await it inside tx.run, or start it afterCommit.',
      );
    return open.manager;
  }

  get isOpen(): boolean {
    return this.#current.getStore()?.isOpen ?? false;
  }

  async #inside<T>(
    manager: EntityManager,
    afterCommit: (() => unknown)[],
    work: () => Promise<T>,
  ): Promise<T> {
    const open: OpenTransaction = { manager, afterCommit, isOpen: true };
    try {
      return await this.#current.run(open, work);
    } finally {
      open.isOpen = false;
    }
  }

  /** Outside the context of the transaction that is over, so that a task may begin one of its own. */
  async #follow(tasks: readonly (() => unknown)[]): Promise<void> {
    await this.#current.exit(async () => {
      for (const task of tasks) {
        try {
          await task();
        } catch (error) {
          this.#log.write('error', 'A task that follows a commit failed.', { error });
        }
      }
    });
  }
}
