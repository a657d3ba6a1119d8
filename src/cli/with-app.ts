import type { HelixApp } from '../common/platform/http/create-app.js';
import { readConfig } from './read-config.js';
import type { Terminal } from './terminal.js';

/**
 * Opens the app without its port beside a Helix that may run on the same home, and closes it whatever happens. Nest is
 * loaded only here and in `run`, so that other commands start at once.
 */
export async function withApp<T>(terminal: Terminal, use: (app: HelixApp) => Promise<T>): Promise<T> {
  const { HelixApp: App } = await import('../common/platform/http/create-app.js');
  const { AppModule } = await import('../app.module.js');
  const config = await readConfig({ LOG_LEVEL: 'warn', ...terminal.environment });
  const app = await App.create(AppModule, config, { role: 'visit', logTo: 'stderr' });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
