export { LogComponent } from './log.component.js';
