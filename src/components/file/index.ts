export { FileComponent } from './file.component.js';
