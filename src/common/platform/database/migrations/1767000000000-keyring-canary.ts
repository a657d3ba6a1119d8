import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The row by which a start notices that the keyring is not the one the data was encrypted with. */
export class KeyringCanary1767000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE keyring_canary (
        key_id text NOT NULL,
        sealed text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT keyring_canary_pkey PRIMARY KEY (key_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keyring_canary');
  }
}
