import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { HelixLog } from '../logging/helix-log.js';
import { DatabaseServer } from './database-server.js';
import { dataSourceOptions } from './data-source-options.js';
import { migrate } from './migrate.js';
import { Transactions } from './transactions.js';
import { UuidV7 } from './uuid-v7.js';

/**
 * The data source, migrated before anyone gets it, and the transactions over it. A module brings its entities with
 * `TypeOrmModule.forFeature([ToolEntity])` and its tables with a file in migrations/.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [DatabaseServer, HelixLog],
      useFactory: (server: DatabaseServer, log: HelixLog) => ({
        ...dataSourceOptions(server.url, log),
        autoLoadEntities: true,
        // The server answered before the app began; what fails now fails for good.
        retryAttempts: 1,
      }),
      dataSourceFactory: async (options) => {
        const dataSource = await new DataSource(options as DataSourceOptions).initialize();
        try {
          await migrate(dataSource);
          return dataSource;
        } catch (error) {
          await dataSource.destroy();
          throw error;
        }
      },
    }),
  ],
  providers: [Transactions, { provide: UuidV7, useFactory: () => new UuidV7() }],
  exports: [Transactions, UuidV7],
})
export class DatabaseModule {
  constructor(server: DatabaseServer, dataSource: DataSource) {
    server.holds(dataSource);
  }
}
