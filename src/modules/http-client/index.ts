export { HttpClientModule } from './http-client.module.js';
