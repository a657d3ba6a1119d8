import { Injectable } from '@nestjs/common';
import { parseWorkspace, scriptCheck, validateWorkspace } from '../../common/dsl/index.js';
import { processEnvironment } from '../../common/platform/config/process-environment.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { workspaceVariables } from '../../common/platform/config/workspace-variables.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type LoadedWorkspace, type WorkspaceGauge, WorkspaceSource } from './workspace-source.js';

/** The files and folders of `HELIX_WORKFLOWS`, checked as `helix validate` checks them. */
@Injectable()
export class FileWorkspaceSource extends WorkspaceSource {
  constructor(
    private readonly config: HelixConfig,
    private readonly log: HelixLog,
  ) {
    super();
  }

  async load(gauge: WorkspaceGauge): Promise<LoadedWorkspace> {
    const { home, workflows } = this.config;
    const variables = workspaceVariables(home, processEnvironment(), { keep: true });
    const parsed = await parseWorkspace(workflows, variables);
    // For good: what an environment held once may stand in messages for as long as the process lives.
    for (const secret of parsed.secrets) this.log.secrets.add(secret);
    const problems = validateWorkspace(parsed, { ...gauge, checkScript: scriptCheck(workflows) });
    return { definition: parsed.definition, problems };
  }
}
