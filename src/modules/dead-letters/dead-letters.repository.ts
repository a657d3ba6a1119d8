import { Injectable } from '@nestjs/common';
import { Brackets, type SelectQueryBuilder } from 'typeorm';
import type { NewDeadLetter } from '../../components/dead-letter/index.js';
import { type PagePosition, positionOf } from '../../common/platform/crypto/page-cursors.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { DeadLetterEntity } from './dead-letter.entity.js';
import type {
  DeadLetter,
  DeadLetterSummary,
  LetterFilter,
  LetterOwner,
  ReplayOutcome,
} from './dead-letter.js';
import { columnsOf, letterOf, summaryOf } from './dead-letter.mapper.js';

/** Expired rows that one statement takes. */
const sweptAtOnce = 1_000;

/** All but the message itself. */
const summaryColumns = [
  'id',
  'organizationId',
  'projectId',
  'queue',
  'workflowId',
  'failedWorkflowId',
  'failedStepId',
  'errorCode',
  'errorMessage',
  'attempts',
  'correlationId',
  'bodyKind',
  'bodySize',
  'bodyNote',
  'state',
  'replayOf',
  'replayOutcome',
  'replayError',
  'endedAt',
  'endedBy',
  'createdAt',
  'expiresAt',
] as const satisfies readonly (keyof DeadLetterEntity)[];

@Injectable()
export class DeadLettersRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly ids: UuidV7,
  ) {}

  async insert(letter: NewDeadLetter): Promise<void> {
    await this.#rows.insert({
      id: `dl_${this.ids.next()}`,
      ...columnsOf(letter),
      expiresAt: () => `clock_timestamp() + ${Math.round(letter.retentionMs)} * interval '1 millisecond'`,
    });
  }

  async find(owner: LetterOwner, id: string): Promise<DeadLetter | null> {
    const row = await this.#owned(owner).andWhere('letter.id = :id', { id }).getOne();
    return row && letterOf(row);
  }

  /** Newest first. */
  async list(
    owner: LetterOwner,
    filter: LetterFilter,
    after: PagePosition | null,
    limit: number,
  ): Promise<{ letters: DeadLetterSummary[]; next: PagePosition | null }> {
    const query = this.#owned(owner)
      .select(summaryColumns.map((column) => `letter.${column}`))
      .addSelect(positionOf('letter.created_at'), 'position')
      .orderBy('letter.createdAt', 'DESC')
      .addOrderBy('letter.id', 'DESC')
      .limit(limit + 1);
    narrow(query, filter);
    if (after !== null)
      query.andWhere(
        `(letter.created_at, letter.id) < (:createdAt::timestamp AT TIME ZONE 'UTC', :afterId)`,
        {
          createdAt: after.createdAt,
          afterId: after.id,
        },
      );
    const { entities, raw } = await query.getRawAndEntities<{ position: string }>();
    const letters = entities.slice(0, limit).map(summaryOf);
    const last = entities.length > limit ? letters.at(-1) : undefined;
    const createdAt = raw[limit - 1]?.position;
    return { letters, next: last && createdAt !== undefined ? { createdAt, id: last.id } : null };
  }

  /** Ids of open letters, oldest first. */
  async openIds(owner: LetterOwner, filter: LetterFilter, limit: number): Promise<string[]> {
    const query = this.#owned(owner)
      .select('letter.id')
      .orderBy('letter.createdAt', 'ASC')
      .addOrderBy('letter.id', 'ASC')
      .limit(limit);
    narrow(query, { ...filter, state: 'open' });
    return (await query.getMany()).map(({ id }) => id);
  }

  /** Compare and set: of all who try, one ends an open letter. @returns the ids that this call ended */
  async end(ids: readonly string[], state: 'replayed' | 'discarded', by: string): Promise<string[]> {
    const { raw } = await this.#rows
      .createQueryBuilder()
      .update()
      .set({ state, endedBy: by, endedAt: () => 'clock_timestamp()' })
      .where(`id = ANY (:ids) AND state = 'open'`, { ids })
      .returning('id')
      .execute();
    return (raw as { id: string }[]).map(({ id }) => id);
  }

  async noteOutcome(id: string, { status, error }: ReplayOutcome): Promise<void> {
    const replayError = error && JSON.stringify(error).replaceAll('\\u0000', '\uFFFD');
    await this.#rows.update({ id, state: 'replayed' }, { replayOutcome: status, replayError });
  }

  /** Unless the failed replay left a letter of its own, the message would be in none that can be sent again. */
  async reopen(id: string): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .update()
      .set({ state: 'open', endedAt: null, endedBy: null, attempts: () => 'attempts + 1' })
      .where(`id = :id AND state = 'replayed'`, { id })
      .andWhere('NOT EXISTS (SELECT 1 FROM dead_letter AS younger WHERE younger.replay_of = :id)', { id })
      .execute();
  }

  /** @returns how many letters had been kept long enough */
  async sweep(): Promise<number> {
    for (let swept = 0; ;) {
      const { affected } = await this.#rows
        .createQueryBuilder()
        .delete()
        .where(
          `id IN (SELECT id FROM dead_letter WHERE expires_at < clock_timestamp() LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED)`,
        )
        .execute();
      swept += affected ?? 0;
      if ((affected ?? 0) < sweptAtOnce) return swept;
    }
  }

  #owned({ organizationId, isHome, projectIds }: LetterOwner): SelectQueryBuilder<DeadLetterEntity> {
    const query = this.#rows.createQueryBuilder('letter').where(
      new Brackets((where) => {
        where.where('letter.organization_id = :organizationId', { organizationId });
        if (isHome) where.orWhere('letter.organization_id IS NULL');
      }),
    );
    if (projectIds !== null) query.andWhere('letter.project_id = ANY (:projectIds)', { projectIds });
    return query;
  }

  get #rows() {
    return this.tx.manager.getRepository(DeadLetterEntity);
  }
}

function narrow(query: SelectQueryBuilder<DeadLetterEntity>, filter: LetterFilter): void {
  const { queue, workflowId, code, state } = filter;
  if (queue !== null) query.andWhere('letter.queue = :queue', { queue });
  if (code !== null) query.andWhere('letter.error_code = :code', { code });
  if (state !== null) query.andWhere('letter.state = :state', { state });
  if (workflowId !== null)
    query.andWhere('(letter.workflow_id = :workflowId OR letter.failed_workflow_id = :workflowId)', {
      workflowId,
    });
}
