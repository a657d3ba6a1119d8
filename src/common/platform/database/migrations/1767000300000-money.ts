import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Wallets of workspaces, what calls hold of them, the ledger, and what single credentials may spend. */
export class Money1767000300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Half-filled pages: a busy workspace updates its one row with every batch, and finds room beside the old version.
    await runner.query(`
      CREATE TABLE wallet (
        organization_id text NOT NULL,
        balance_micros bigint NOT NULL DEFAULT 0,
        held_micros bigint NOT NULL DEFAULT 0,
        entry_count bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT wallet_pk PRIMARY KEY (organization_id),
        CONSTRAINT wallet_held CHECK (held_micros >= 0)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE hold (
        call_id text NOT NULL,
        organization_id text NOT NULL,
        amount_micros bigint NOT NULL,
        state text NOT NULL DEFAULT 'open',
        charged_micros bigint,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        closed_at timestamptz,
        CONSTRAINT hold_pk PRIMARY KEY (call_id),
        CONSTRAINT hold_amount CHECK (amount_micros >= 0),
        CONSTRAINT hold_state CHECK (state IN ('open', 'settled', 'released', 'captured'))
      )`);
    await runner.query(
      `CREATE INDEX hold_open ON hold (organization_id, created_at, call_id) WHERE state = 'open'`,
    );
    await runner.query(`
      CREATE TABLE ledger_entry (
        organization_id text NOT NULL,
        number bigint NOT NULL,
        kind text NOT NULL,
        amount_micros bigint NOT NULL,
        balance_micros bigint NOT NULL,
        call_id text,
        reason text,
        idempotency_key text,
        created_by_type text,
        created_by_id text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT ledger_entry_pk PRIMARY KEY (organization_id, number),
        CONSTRAINT ledger_entry_call_unique UNIQUE (call_id, kind),
        CONSTRAINT ledger_entry_key_unique UNIQUE (organization_id, idempotency_key),
        CONSTRAINT ledger_entry_kind CHECK (kind IN ('top_up', 'adjustment', 'settle', 'overrun', 'capture'))
      )`);
    await runner.query(`
      CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The ledger is append-only: correct an entry by an adjustment.';
      END $$`);
    await runner.query(`
      CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`);
    await runner.query(`
      CREATE TABLE spend_cap (
        credential_id text NOT NULL,
        organization_id text NOT NULL,
        limit_micros bigint NOT NULL,
        used_micros bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT spend_cap_pk PRIMARY KEY (credential_id),
        CONSTRAINT spend_cap_limit CHECK (limit_micros >= 0)
      ) WITH (fillfactor = 50)`);
    await runner.query('ALTER TABLE tool_call ADD COLUMN cost_due timestamptz');
    await runner.query(
      `CREATE INDEX tool_call_cost_due ON tool_call (cost_due) WHERE cost_status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tool_call_cost_due');
    await runner.query('ALTER TABLE tool_call DROP COLUMN cost_due');
    for (const table of ['spend_cap', 'ledger_entry', 'hold', 'wallet'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP FUNCTION refuse_ledger_change()');
  }
}
