import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that workflows could not do. */
export class DeadLetters1767000200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dead_letter (
        id text NOT NULL,
        organization_id text,
        project_id text,
        queue text NOT NULL,
        workflow_id text,
        failed_workflow_id text,
        failed_step_id text,
        error_code text,
        error_message text,
        attempts integer NOT NULL,
        pattern text NOT NULL,
        correlation_id text NOT NULL,
        body_kind text NOT NULL,
        body bytea NOT NULL,
        body_size integer NOT NULL,
        body_note text,
        headers text NOT NULL,
        attributes text,
        state text NOT NULL DEFAULT 'open',
        replay_of text,
        replay_outcome text,
        replay_error text,
        ended_at timestamptz,
        ended_by text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT dead_letter_pk PRIMARY KEY (id),
        CONSTRAINT dead_letter_state CHECK (state IN ('open', 'replayed', 'discarded')),
        CONSTRAINT dead_letter_replay_outcome CHECK (replay_outcome IN ('succeeded', 'failed'))
      )`);
    await runner.query('CREATE INDEX dead_letter_newest ON dead_letter (organization_id, created_at, id)');
    await runner.query(
      'CREATE INDEX dead_letter_replay_of ON dead_letter (replay_of) WHERE replay_of IS NOT NULL',
    );
    await runner.query('CREATE INDEX dead_letter_expires ON dead_letter (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dead_letter');
  }
}
