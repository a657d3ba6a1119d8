import type { Vocabulary } from '../common/dsl/index.js';
import type { ExpressionLanguage } from '../common/engine/api/expression.js';
import type { SchemaValidator } from '../common/engine/api/ports.js';
import { standardSteps } from '../common/engine/steps/index.js';
import { ControlComponent } from '../components/control/index.js';
import { CronComponent } from '../components/cron/index.js';
import { DeadLetterComponent } from '../components/dead-letter/index.js';
import { DirectComponent } from '../components/direct/index.js';
import { FileComponent } from '../components/file/index.js';
import { HttpComponent } from '../components/http/index.js';
import { HttpServerComponent } from '../components/http-server/http-server.component.js';
import { LogComponent } from '../components/log/index.js';
import { McpComponent } from '../components/mcp/mcp.component.js';
import { McpPromptComponent } from '../components/mcp-server/mcp-prompt.component.js';
import { McpResourceComponent } from '../components/mcp-server/mcp-resource.component.js';
import { McpServerComponent } from '../components/mcp-server/mcp-server.component.js';
import { MockComponent } from '../components/mock/index.js';
import { SedaComponent } from '../components/seda/index.js';
import { SqlComponent } from '../components/sql/index.js';
import { TimerComponent } from '../components/timer/index.js';
import { ToolComponent } from '../components/tool/index.js';

/** What checking needs for real; listing needs neither. */
interface Judges {
  readonly language: ExpressionLanguage;
  readonly validator: SchemaValidator;
}

/**
 * Every component and step of Helix, for commands that look at a workspace without running it. A story holds this list
 * equal to what the app finds among its providers.
 */
export function catalogue({ language, validator }: Judges = absent('Judges')): Vocabulary {
  return {
    components: [
      new ControlComponent(absent('WorkflowControl')),
      new CronComponent(absent('Clock'), absent('Log')),
      new DeadLetterComponent(absent('DeadLetterStore'), absent('Log')),
      new DirectComponent(),
      new FileComponent(absent('FilePorts')),
      new HttpComponent('http', absent('HttpCaller'), absent('Clock')),
      new HttpComponent('https', absent('HttpCaller'), absent('Clock')),
      new HttpServerComponent(absent('HttpServerPorts')),
      new LogComponent(absent('Log'), absent('Clock')),
      new McpComponent(absent('McpCaller'), absent('Clock')),
      new McpPromptComponent(absent('McpOffers')),
      new McpResourceComponent(absent('McpOffers')),
      new McpServerComponent(absent('McpServerParts')),
      new MockComponent(absent('Clock')),
      new SedaComponent(absent('SedaPorts')),
      new SqlComponent(absent('SqlCaller'), absent('Clock')),
      new TimerComponent(absent('Clock')),
      new ToolComponent(language, validator),
    ],
    steps: standardSteps(),
  };
}

/** A port of a component that only parses and checks: calling it is a mistake of ours, and says so. */
function absent(port: string): never {
  const complain = (): never => {
    throw new Error(`${port} was called, but nothing runs here.`);
  };
  return new Proxy(complain, { get: (_, name) => absent(`${port}.${String(name)}`) }) as never;
}
