export {
  DeadLetterComponent,
  REPLAY_HEADER,
  type DeadLetterStore,
  type NewDeadLetter,
} from './dead-letter.component.js';
export { MASK } from './keep-message.js';
