export { MockComponent, type MockMessage } from './mock.component.js';
