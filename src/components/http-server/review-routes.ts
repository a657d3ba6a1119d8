import { readOptions } from '../../common/engine/api/options.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type {
  WorkflowDefinition,
  WorkspaceDefinition,
  WorkspaceProblem,
} from '../../common/engine/model/workflow-definition.js';
import { listenAddress } from './address.js';
import { methodsOf } from './methods.js';
import { httpServerOptions } from './options.js';
import { clash, type Served } from './route-table.js';

interface Route extends Served {
  readonly workflow: WorkflowDefinition;
  readonly listener: string;
}

/** Two workflows on one path and method, told before anything listens. */
export function reviewRoutes(
  { workflows }: WorkspaceDefinition,
  report: (problem: WorkspaceProblem) => void,
): void {
  const routes: Route[] = [];
  for (const workflow of workflows) {
    const route = workflow.disabled ? null : routeOf(workflow);
    if (route === null) continue;
    const rival = routes.find((other) => other.listener === route.listener && clash(other, route));
    if (rival) {
      report({
        severity: 'error',
        rule: 'duplicate-route',
        message: `"${workflow.id}" and "${rival.workflow.id}" both serve ${route.pattern.text} of ${route.listener}: give one another path or method.`,
        place: workflow.trigger.place,
      });
    }
    routes.push(route);
  }
}

function routeOf(workflow: WorkflowDefinition): Route | null {
  const { trigger, inputSchema } = workflow;
  if (!/^\s*http-server:/i.test(trigger.uri)) return null;
  try {
    const uri = EndpointUri.parse(trigger.uri, trigger.parameters, trigger.secrets, trigger.shownPath);
    const options = readOptions(uri, httpServerOptions);
    const { host, port, pattern } = listenAddress(uri, options['match-prefix']);
    const methods = methodsOf(options.method, inputSchema !== null);
    return { workflow, listener: `${host}:${port}`, pattern, methods };
  } catch {
    // Reported where the endpoint is made.
    return null;
  }
}
