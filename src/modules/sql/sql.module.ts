import { Module } from '@nestjs/common';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { SqlComponent } from '../../components/sql/index.js';
import { systemClock } from '../workflow-engine/index.js';
import { PgSqlCaller } from './pg-sql-caller.js';

/** Fills what `sql://` asks of the world. The databases are the workspace's, none of them is Helix's own. */
@Module({
  providers: [
    {
      provide: SqlComponent,
      useFactory: (log: HelixLog) => new SqlComponent(new PgSqlCaller(log), systemClock),
      inject: [HelixLog],
    },
  ],
})
export class SqlModule {}
