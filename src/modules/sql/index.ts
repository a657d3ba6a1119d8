export { SqlModule } from './sql.module.js';
