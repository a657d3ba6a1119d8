export { TimerComponent } from './timer.component.js';
