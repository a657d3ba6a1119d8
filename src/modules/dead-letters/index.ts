export { DeadLettersModule } from './dead-letters.module.js';
