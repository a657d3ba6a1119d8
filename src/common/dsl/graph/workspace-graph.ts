import type { StepType } from '../../engine/api/step-type.js';
import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import type { StepNode, UriNode, WorkspaceDefinition } from '../../engine/model/workflow-definition.js';
import { addressOf } from '../rules/addresses.js';
import { outline } from '../rules/outline.js';
import { clauseSteps, deadLetter } from '../rules/step-lists.js';

export interface GraphNode {
  /** Stands for the node in `edges`; says nothing else. */
  readonly id: string;
  readonly kind: 'workflow' | 'tool' | 'address';
  /** The workflow's or tool's id, or the address without its options. */
  readonly label: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /**
   * What sends: the keywords of the steps around the target (`choice › split`), after `on failure` in a clause; or `dead
   * letter`, `disabled`; `''` for a plain target.
   */
  readonly label: string;
}

/** Who sends to whom. Options of URIs are left out: they may hold secrets, and a drawing has no room for them. */
export interface WorkspaceGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export function workspaceGraph(workspace: WorkspaceDefinition, types: readonly StepType[]): WorkspaceGraph {
  const graph = new Gathering();
  const { tools, workflows } = workspace;
  for (const { definition, steps } of tools) {
    const address = `tool://${definition.id}`;
    const isElsewhere = workflows.some(({ trigger }) => addressOf(trigger.uri) === address);
    if (steps.length > 0 || !isElsewhere) graph.node(address, 'tool', definition.id);
  }
  for (const { id, trigger } of workflows)
    graph.node(addressOf(trigger.uri) ?? `workflow:${id}`, 'workflow', id);
  for (const { id, trigger, steps, disabled, onException, errorHandler } of workflows) {
    const self = addressOf(trigger.uri) ?? `workflow:${id}`;
    if (!addressOf(trigger.uri)) graph.edge(shown(trigger), self, disabled ? 'disabled' : '', shown(trigger));
    draw(self, steps, types, graph);
    for (const inner of clauseSteps(onException)) draw(self, inner, types, graph, 'on failure');
    const letters = deadLetter(errorHandler ?? workspace.errorHandler);
    if (letters) graph.edge(self, keyOf(letters), 'dead letter', shown(letters));
  }
  for (const { definition, steps } of tools) draw(`tool://${definition.id}`, steps, types, graph);
  return graph.result();
}

/** The part around one workflow or tool: itself and its neighbours. Null where there is no such node. */
export function neighbourhood({ nodes, edges }: WorkspaceGraph, id: string): WorkspaceGraph | null {
  const self = nodes.find(({ kind, label }) => kind !== 'address' && label === id);
  if (!self) return null;
  const near = edges.filter(({ from, to }) => from === self.id || to === self.id);
  const kept = new Set([self.id, ...near.flatMap(({ from, to }) => [from, to])]);
  return { nodes: nodes.filter((node) => kept.has(node.id)), edges: near };
}

function draw(
  from: string,
  steps: readonly StepNode[],
  types: readonly StepType[],
  graph: Gathering,
  outer = '',
): void {
  for (const step of steps) {
    if (step.disabled) continue;
    const { targets, blocks } = outline(step, types);
    const isPlain = step.keyword === 'target' || step.keyword === 'to';
    const label = isPlain ? outer : [outer, step.keyword].filter((word) => word !== '').join(' › ');
    for (const target of targets) graph.edge(from, keyOf(target), label, shown(target));
    for (const block of blocks) draw(from, block, types, graph, label);
  }
}

/** What makes two targets the same node; never shown. */
function keyOf(target: UriNode): string {
  return addressOf(target.uri) ?? shown(target);
}

function shown({ uri, secrets, shownPath }: UriNode): string {
  try {
    return EndpointUri.parse(uri.split('?')[0] ?? '', {}, secrets, shownPath).toString();
  } catch {
    return 'invalid URI';
  }
}

class Gathering {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();

  node(key: string, kind: GraphNode['kind'], label: string): string {
    const known = this.#nodes.get(key);
    if (known) return known.id;
    const id = `n${this.#nodes.size}`;
    this.#nodes.set(key, { id, kind, label });
    return id;
  }

  edge(from: string, to: string, label: string, shownAs: string): void {
    const ends = [from, to].map((key) => this.node(key, 'address', shownAs)) as [string, string];
    this.#edges.set(JSON.stringify([ends, label]), { from: ends[0], to: ends[1], label });
  }

  result(): WorkspaceGraph {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
  }
}
