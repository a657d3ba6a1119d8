import type { HelixConfig } from '../common/platform/config/helix-config.js';
import type { Environment } from '../common/platform/config/process-environment.js';

/** As `readEnvironment`, which is only loaded by commands that come to it. @throws ConfigurationError */
export async function readConfig(environment: Environment): Promise<HelixConfig> {
  const { readEnvironment } = await import('../common/platform/config/env.js');
  return readEnvironment(environment);
}
