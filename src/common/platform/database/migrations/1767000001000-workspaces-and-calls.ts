import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workspaces with people and projects, API keys, durable calls, and the connections of workspaces. */
export class WorkspacesAndCalls1767000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization (
        id text NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        suspended_at timestamptz,
        CONSTRAINT organization_pk PRIMARY KEY (id)
      )`);
    await runner.query(`
      CREATE TABLE user_account (
        id text NOT NULL,
        email text,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT user_account_pk PRIMARY KEY (id),
        CONSTRAINT user_account_email_unique UNIQUE (email)
      )`);
    await runner.query(`
      CREATE TABLE membership (
        organization_id text NOT NULL,
        user_id text NOT NULL,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT membership_pk PRIMARY KEY (organization_id, user_id),
        CONSTRAINT membership_role CHECK (role IN ('owner', 'admin', 'member')),
        CONSTRAINT membership_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE,
        CONSTRAINT membership_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX membership_user ON membership (user_id)');
    await runner.query(`
      CREATE TABLE project (
        id text NOT NULL,
        organization_id text NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT project_pk PRIMARY KEY (id),
        CONSTRAINT project_name_unique UNIQUE (organization_id, name),
        CONSTRAINT project_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE api_key (
        id text NOT NULL,
        kind text NOT NULL,
        organization_id text NOT NULL,
        user_id text NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        project_ids text[],
        operations text[],
        tool_ids text[],
        digest bytea NOT NULL,
        previous_digest bytea,
        previous_until timestamptz,
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT api_key_pk PRIMARY KEY (id),
        CONSTRAINT api_key_kind CHECK (kind IN ('sk', 'task'))
      )`);
    await runner.query('CREATE INDEX api_key_organization ON api_key (organization_id, created_at)');
    await runner.query(`
      CREATE TABLE tool_connection (
        id text NOT NULL,
        organization_id text NOT NULL,
        provider text NOT NULL,
        upstream_organization_id text NOT NULL,
        sealed_token text NOT NULL,
        status text NOT NULL,
        last_verified_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        updated_by text,
        CONSTRAINT tool_connection_pk PRIMARY KEY (id),
        CONSTRAINT tool_connection_provider_unique UNIQUE (organization_id, provider),
        CONSTRAINT tool_connection_status CHECK (status IN ('saved', 'verified', 'rejected'))
      )`);
    await runner.query(`
      CREATE TABLE tool_call (
        id text NOT NULL,
        organization_id text NOT NULL,
        project_id text,
        tool_id text NOT NULL,
        provider text NOT NULL,
        idempotency_key text NOT NULL,
        request_hash bytea NOT NULL,
        request_hash_version smallint NOT NULL,
        input text NOT NULL,
        status text NOT NULL,
        result text,
        result_truncated boolean NOT NULL DEFAULT false,
        error text,
        funding_requested text NOT NULL,
        funding_source text NOT NULL,
        max_cost_micros bigint,
        cost_status text NOT NULL,
        accounting_service text NOT NULL,
        reserved_micros bigint,
        actual_micros bigint,
        charged_micros bigint,
        cost_reference text,
        settled_at timestamptz,
        created_by_type text NOT NULL,
        created_by_id text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        redispatch text NOT NULL,
        lease_owner text,
        lease_until timestamptz,
        dispatched_at timestamptz,
        late_outcome text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        started_at timestamptz,
        completed_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT tool_call_pk PRIMARY KEY (id),
        CONSTRAINT tool_call_key_unique UNIQUE (organization_id, idempotency_key),
        CONSTRAINT tool_call_status CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'unknown')),
        CONSTRAINT tool_call_cost_status
          CHECK (cost_status IN ('not_metered', 'reserved', 'pending', 'settled', 'unknown'))
      )`);
    await runner.query('CREATE INDEX tool_call_newest ON tool_call (organization_id, created_at, id)');
    await runner.query(
      'CREATE INDEX tool_call_project_newest ON tool_call (organization_id, project_id, created_at, id)',
    );
    await runner.query(
      `CREATE INDEX tool_call_lease ON tool_call (lease_until) WHERE status IN ('queued', 'running')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'tool_call',
      'tool_connection',
      'api_key',
      'project',
      'membership',
      'user_account',
      'organization',
    ])
      await runner.query(`DROP TABLE ${table}`);
  }
}
