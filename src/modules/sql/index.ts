export { PgSqlCaller } from './pg-sql-caller.js';
export { SqlModule } from './sql.module.js';
