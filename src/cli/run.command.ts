import { existsSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { HelixApp } from '../common/platform/http/create-app.js';
import { packageVersion } from '../common/platform/config/package-root.js';
import { CommandFailure, exitCodes } from './failure.js';
import { easiestTool } from './example-input.js';
import { startBanner, type StartFacts } from './start-banner.js';
import { readConfig } from './read-config.js';
import type { Terminal } from './terminal.js';
import { lookingVariables, workspacePaths } from './workspace-paths.js';

export function startCommand(terminal: Terminal): Command {
  return new Command('run')
    .description('start Helix with a workspace; Ctrl-C stops it')
    .argument('[paths...]', 'files and folders; default HELIX_WORKFLOWS')
    .option('--port <n>', 'port of the API, 0 for any free one; default PORT', portNumber)
    .option('--watch', 'load the workspace again after each change of its files')
    .action(async (paths: string[], options: { port?: string; watch?: boolean }) => {
      const config = await readConfig({
        ...terminal.environment,
        ...(options.port === undefined ? {} : { PORT: options.port }),
        ...(paths.length === 0
          ? {}
          : { HELIX_WORKFLOWS: (await workspacePaths(paths, terminal)).join(delimiter) }),
      });
      const hasProtocol = await refuseBroken(config.workflows, terminal);
      const { HelixApp: App } = await import('../common/platform/http/create-app.js');
      const { closeOnSignals } = await import('../common/platform/http/signals.js');
      const { AppModule } = await import('../app.module.js');
      // Log lines go beside the banner, so that standard output stays what a person or a protocol reads.
      const app = await App.create(AppModule, config, { logTo: 'stderr' });
      closeOnSignals(app);
      try {
        const banner = startBanner(await factsOf(app, await app.listen()), terminal);
        await followChanges(app, options.watch === true);
        if (hasProtocol) terminal.err(banner);
        else terminal.out(banner);
      } catch (error) {
        await app.close();
        throw error;
      }
    });
}

/** SIGHUP loads the workspace again, and so does each change of its files where that is asked for. */
async function followChanges(app: HelixApp, isWatching: boolean): Promise<void> {
  const { reloadOnHangUp, WorkspaceReload } = await import('../modules/workflow-engine/index.js');
  const reload = app.nest.get(WorkspaceReload);
  reloadOnHangUp(reload, app.log);
  if (isWatching) reload.watch();
}

/**
 * Shows every mistake with its line before anything is opened.
 * @returns whether a workflow speaks a protocol over standard input and output
 */
async function refuseBroken(paths: readonly string[], terminal: Terminal): Promise<boolean> {
  const { checkWorkspace } = await import('./workspace-check.js');
  const { textReport } = await import('../common/dsl/index.js');
  const { definition, files, problems } = await checkWorkspace(paths, lookingVariables(terminal));
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    terminal.err(textReport(errors, files, { colour: terminal.hasColour, folder: terminal.folder }));
    throw new CommandFailure('', exitCodes.inputWrong);
  }
  return definition.workflows.some(
    ({ disabled, trigger }) => !disabled && /^\s*mcp-server:\/\/stdio\b/i.test(trigger.uri),
  );
}

async function factsOf(app: HelixApp, url: string): Promise<StartFacts> {
  const { FirstRun } = await import('../modules/organizations/index.js');
  const { ToolShelf } = await import('../modules/tools/index.js');
  const { WorkflowEngine } = await import('../modules/workflow-engine/index.js');
  const apiUrl = app.config.publicUrl ?? url;
  const first = await app.nest.get(FirstRun).begin(apiUrl);
  const tools = app.nest.get(ToolShelf).all();
  const { started } = app.nest.get(WorkflowEngine).report;
  return {
    version: packageVersion(),
    apiUrl,
    tools: tools.length,
    workflows: started.length,
    listeners: started.flatMap(({ workflowId, address }) =>
      address === null ? [] : [{ workflowId, address }],
    ),
    bootstrap: existsSync(first.path) ? first.path : null,
    hasBootstrapKey: first.bootstrap !== undefined || holdsKey(first.path),
    firstKey: first.bootstrap?.apiKey ?? null,
    firstLogin: first.bootstrap ? { email: first.bootstrap.email, password: first.bootstrap.password } : null,
    example: easiestTool(tools),
  };
}

function holdsKey(path: string): boolean {
  try {
    const { apiKey } = JSON.parse(readFileSync(path, 'utf8')) as { readonly apiKey?: unknown };
    return typeof apiKey === 'string' && apiKey !== '';
  } catch {
    return false;
  }
}

function portNumber(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError('Write a port from 0 to 65535.');
}
