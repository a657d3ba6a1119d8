export type { HttpAnswer, HttpCaller, HttpCallRequest } from './http-caller.js';
export { HttpComponent } from './http.component.js';
