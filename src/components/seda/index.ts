export { SedaComponent } from './seda.component.js';
