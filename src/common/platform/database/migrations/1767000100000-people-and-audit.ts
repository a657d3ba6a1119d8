import type { MigrationInterface, QueryRunner } from 'typeorm';

const revised = ['organization', 'membership', 'project', 'api_key'];

/** Revisions of what administrators change, collaborators of projects, and the audit log. */
export class PeopleAndAudit1767000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of revised)
      await runner.query(`ALTER TABLE ${table} ADD revision integer NOT NULL DEFAULT 1`);
    await runner.query(`
      CREATE TABLE project_collaborator (
        project_id text NOT NULL,
        user_id text NOT NULL,
        access text NOT NULL,
        revision integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT project_collaborator_pk PRIMARY KEY (project_id, user_id),
        CONSTRAINT project_collaborator_access CHECK (access IN ('read', 'write')),
        CONSTRAINT project_collaborator_project_fk FOREIGN KEY (project_id) REFERENCES project (id)
          ON DELETE CASCADE,
        CONSTRAINT project_collaborator_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX project_collaborator_user ON project_collaborator (user_id)');
    await runner.query(`
      CREATE TABLE audit_entry (
        id text NOT NULL,
        organization_id text,
        action text NOT NULL,
        actor_type text NOT NULL,
        actor_id text NOT NULL,
        user_id text,
        target text NOT NULL,
        details json NOT NULL,
        address text,
        request_id text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT audit_entry_pk PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX audit_entry_newest ON audit_entry (organization_id, created_at, id)');
    await runner.query(`
      CREATE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'The audit log is append-only.'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_append_only()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entry');
    await runner.query('DROP FUNCTION audit_entry_append_only()');
    await runner.query('DROP TABLE project_collaborator');
    for (const table of revised) await runner.query(`ALTER TABLE ${table} DROP COLUMN revision`);
  }
}
