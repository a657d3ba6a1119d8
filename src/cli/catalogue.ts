import type { Vocabulary } from '../common/dsl/index.js';
import type { ExpressionLanguage } from '../common/engine/api/expression.js';
import type { SchemaValidator } from '../common/engine/api/ports.js';
import { standardSteps } from '../common/engine/steps/index.js';
import { DirectComponent } from '../components/direct/index.js';
import { HttpServerComponent } from '../components/http-server/http-server.component.js';
import { LogComponent } from '../components/log/index.js';
import { McpComponent } from '../components/mcp/mcp.component.js';
import { McpServerComponent } from '../components/mcp-server/mcp-server.component.js';
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
      new DirectComponent(),
      new HttpServerComponent(absent('HttpServerPorts')),
      new LogComponent(absent('Log'), absent('Clock')),
      new McpComponent(absent('McpCaller'), absent('Clock')),
      new McpServerComponent(absent('McpServerParts')),
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
