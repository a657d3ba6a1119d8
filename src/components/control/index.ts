export { ControlComponent } from './control.component.js';
