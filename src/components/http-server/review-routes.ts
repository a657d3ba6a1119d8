import { readOptions } from '../../common/engine/api/options.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type {
  WorkflowDefinition,
  WorkspaceDefinition,
  WorkspaceProblem,
} from '../../common/engine/model/workflow-definition.js';
import { listenAddress } from './address.js';
import { methodsOf } from './http-route.js';
import { httpServerOptions } from './options.js';
import { clash, type Served } from './route-table.js';

interface WrittenRoute extends Served {
  readonly id: string;
  readonly address: string;
}

/** Two workflows on one path and method are a mistake of the workspace. */
export function reviewRoutes(
  { workflows }: WorkspaceDefinition,
  report: (problem: WorkspaceProblem) => void,
): void {
  const routes: WrittenRoute[] = [];
  for (const workflow of workflows) {
    const route = routeOf(workflow);
    if (route === null) continue;
    const rival = routes.find((other) => other.address === route.address && clash(other, route));
    if (rival) {
      report({
        severity: 'error',
        rule: 'duplicate-route',
        message: `"${route.id}" and "${rival.id}" both serve ${route.pattern.text} of ${route.address}: give one another path or method.`,
        place: workflow.trigger.place,
      });
    }
    routes.push(route);
  }
}

/** Null for other triggers, and for one whose URI is wrong: that is told where the workflow is built. */
function routeOf({ id, disabled, trigger, inputSchema }: WorkflowDefinition): WrittenRoute | null {
  if (disabled || !/^\s*http-server:/i.test(trigger.uri)) return null;
  try {
    const uri = EndpointUri.parse(trigger.uri, trigger.parameters, trigger.secrets, trigger.shownPath);
    const options = readOptions(uri, httpServerOptions);
    const { host, port, pattern } = listenAddress(uri, options['match-prefix']);
    const methods = methodsOf(options.method, inputSchema !== null);
    return { id, address: `${host}:${port}`, pattern, methods };
  } catch {
    return null;
  }
}
