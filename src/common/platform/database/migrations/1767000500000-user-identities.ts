import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of people at identity providers, for the corporate login. */
export class UserIdentities1767000500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE user_identity (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT user_identity_pk PRIMARY KEY (issuer, subject),
        CONSTRAINT user_identity_user_unique UNIQUE (user_id, issuer),
        CONSTRAINT user_identity_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_identity');
  }
}
