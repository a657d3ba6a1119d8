export type { SqlAnswer, SqlCaller, SqlConnection, SqlValue } from './sql-caller.js';
export { SqlComponent } from './sql.component.js';
