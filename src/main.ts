import { AppModule } from './app.module.js';
import { ConfigurationError } from './common/platform/config/configuration-error.js';
import { readEnvironment } from './common/platform/config/env.js';
import { HelixApp } from './common/platform/http/create-app.js';
import { closeOnSignals } from './common/platform/http/signals.js';
import { FirstRun } from './modules/organizations/index.js';
import { reloadOnHangUp, WorkspaceReload } from './modules/workflow-engine/index.js';

/** The server without the commands of `helix`: what a container runs. */
try {
  const opening = HelixApp.create(AppModule, readEnvironment());
  closeOnSignals(opening);
  const app = await opening;
  const url = await app.listen();
  reloadOnHangUp(app.nest.get(WorkspaceReload), app.log);
  await app.nest.get(FirstRun).begin(app.config.publicUrl ?? url);
  app.log.write('info', `Helix listens on ${url}, its documentation on ${url}/docs.`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigurationError ? error.exitCode : 1);
}
