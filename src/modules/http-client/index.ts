export { GuardedHttpCaller } from './guarded-http-caller.js';
export { HttpClientModule } from './http-client.module.js';
