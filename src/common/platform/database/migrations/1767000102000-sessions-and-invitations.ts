import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passwords and verified addresses of people, browser sessions, personal workspaces, and invitations. */
export class SessionsAndInvitations1767000102000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_account ADD password_hash text, ADD verified_at timestamptz');
    await runner.query('ALTER TABLE organization ADD personal_of text');
    await runner.query(
      'ALTER TABLE organization ADD CONSTRAINT organization_personal_unique UNIQUE (personal_of)',
    );
    // The columns that connect-pg-simple reads and writes.
    await runner.query(`
      CREATE TABLE user_session (
        sid text NOT NULL,
        sess json NOT NULL,
        expire timestamptz NOT NULL,
        CONSTRAINT user_session_pk PRIMARY KEY (sid)
      )`);
    await runner.query('CREATE INDEX user_session_expire ON user_session (expire)');
    await runner.query(`
      CREATE TABLE invitation (
        id text NOT NULL,
        organization_id text NOT NULL,
        email text NOT NULL,
        role text NOT NULL,
        project_id text,
        access text,
        digest bytea NOT NULL,
        invited_by text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT invitation_pk PRIMARY KEY (id),
        CONSTRAINT invitation_role CHECK (role IN ('owner', 'admin', 'member', 'collaborator')),
        CONSTRAINT invitation_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE,
        CONSTRAINT invitation_project_fk FOREIGN KEY (project_id) REFERENCES project (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX invitation_organization ON invitation (organization_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE invitation');
    await runner.query('DROP TABLE user_session');
    await runner.query('ALTER TABLE organization DROP COLUMN personal_of');
    await runner.query('ALTER TABLE user_account DROP COLUMN password_hash, DROP COLUMN verified_at');
  }
}
