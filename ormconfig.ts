/*
 * The data source of TypeORM's own command line, on the database Helix would use here:
 *
 *   npm run build && npx typeorm migration:show -d dist/ormconfig.js
 *   npx typeorm migration:generate -d dist/ormconfig.js --esm src/common/platform/database/migrations/what-changes
 *
 * A generated file is renamed and listed in src/common/platform/database/migrations/index.ts.
 */
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { readEnvironment } from './src/common/platform/config/env.js';
import { DatabaseServer } from './src/common/platform/database/database-server.js';
import { dataSourceOptions } from './src/common/platform/database/data-source-options.js';
import { HelixLog } from './src/common/platform/logging/helix-log.js';

const log = new HelixLog({ level: 'warn', to: 'stderr' });
// Joins a Helix that runs; where none does, the embedded database is opened for this command.
const server = await DatabaseServer.open(readEnvironment(), log, 'visit');

class CommandLineDataSource extends DataSource {
  override async destroy(): Promise<void> {
    await super.destroy();
    await server.close();
  }
}

export default new CommandLineDataSource({
  ...dataSourceOptions(server.url, log),
  entities: [join(import.meta.dirname, 'src', '**', '*.entity.js')],
});
