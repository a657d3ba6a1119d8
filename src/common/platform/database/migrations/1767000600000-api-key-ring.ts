import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which key of the ring a digest was made with, so that an operator can tell when it may be taken off. */
export class ApiKeyRing1767000600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_key ADD COLUMN ring_key_id text, ADD COLUMN previous_ring_key_id text
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_key DROP COLUMN ring_key_id, DROP COLUMN previous_ring_key_id');
  }
}
