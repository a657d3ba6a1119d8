export type { TregCredential, TregReply } from './treg-client.js';
export { TregClient } from './treg-client.js';
export { TregModule } from './treg.module.js';
export type { TregEndpoint, TregField, TregLedger } from './treg-wire.js';
