import { AppModule } from './app.module.js';
import { ConfigurationError } from './common/platform/config/configuration-error.js';
import { readEnvironment } from './common/platform/config/env.js';
import { HelixApp } from './common/platform/http/create-app.js';
import { closeOnSignals } from './common/platform/http/signals.js';

/** The server without the commands of `helix`: what a container runs. */
try {
  const app = await HelixApp.create(AppModule, readEnvironment());
  closeOnSignals(app);
  const url = await app.listen();
  app.log.write('info', `Helix listens on ${url}, its documentation on ${url}/docs.`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigurationError ? error.exitCode : 1);
}
