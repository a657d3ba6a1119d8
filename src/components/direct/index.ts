export { DirectComponent } from './direct.component.js';
