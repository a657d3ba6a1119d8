import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often in a row the upstream refused a connection's token: one refusal may be its own trouble. */
export class ConnectionRejections1767000400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "tool_connection" ADD COLUMN "rejections" integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "tool_connection" DROP COLUMN "rejections"');
  }
}
