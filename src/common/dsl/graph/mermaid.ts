import type { StepType } from '../../engine/api/step-type.js';
import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import type { StepNode, UriNode, WorkspaceDefinition } from '../../engine/model/workflow-definition.js';
import { addressOf } from '../rules/addresses.js';
import { everyStep } from '../rules/outline.js';
import { clauseSteps, deadLetter } from '../rules/step-lists.js';

/**
 * The workspace as a Mermaid flowchart: a box per workflow and tool, a stadium per address outside, an arrow per target.
 * Options of URIs are left out: they may hold secrets, and a drawing has no room for them.
 */
export function mermaidGraph(workspace: WorkspaceDefinition, types: readonly StepType[]): string {
  const chart = new Chart();
  for (const { definition, steps } of workspace.tools) {
    if (
      steps.length > 0 ||
      !workspace.workflows.some(({ trigger }) => addressOf(trigger.uri) === `tool://${definition.id}`)
    ) {
      chart.box(`tool://${definition.id}`, `tool ${definition.id}`);
    }
  }
  for (const { id, trigger } of workspace.workflows)
    chart.box(addressOf(trigger.uri) ?? `workflow:${id}`, id);
  for (const { id, trigger, steps, disabled, onException, errorHandler } of workspace.workflows) {
    const self = addressOf(trigger.uri) ?? `workflow:${id}`;
    if (!addressOf(trigger.uri)) chart.arrow(shown(trigger), self, disabled ? 'disabled' : '');
    draw(self, steps, types, chart);
    for (const inner of clauseSteps(onException)) draw(self, inner, types, chart, 'on failure');
    const letters = deadLetter(errorHandler ?? workspace.errorHandler);
    if (letters) chart.arrow(self, keyOf(letters), 'dead letter', shown(letters));
  }
  for (const { definition, steps } of workspace.tools) draw(`tool://${definition.id}`, steps, types, chart);
  return chart.text();
}

function draw(
  from: string,
  steps: readonly StepNode[],
  types: readonly StepType[],
  chart: Chart,
  plain = '',
): void {
  for (const { step, targets } of everyStep(steps, types)) {
    const label = step.keyword === 'target' || step.keyword === 'to' ? plain : step.keyword;
    for (const target of targets) chart.arrow(from, keyOf(target), label, shown(target));
  }
}

/** What makes two targets the same node; never drawn. */
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

class Chart {
  private readonly names = new Map<string, string>();
  private readonly boxes: string[] = [];
  private readonly arrows = new Set<string>();

  box(key: string, label: string): void {
    if (!this.names.has(key)) this.boxes.push(`  ${this.name(key)}["${quoted(label)}"]`);
  }

  /** @param drawn how the target is shown where nothing else drew it */
  arrow(from: string, to: string, label: string, drawn = to): void {
    const ends = [this.node(from, from), this.node(to, drawn)];
    this.arrows.add(`  ${ends[0]} -->${label === '' ? '' : `|"${quoted(label)}"|`} ${ends[1]}`);
  }

  text(): string {
    return `${['flowchart LR', ...this.boxes, ...this.arrows].join('\n')}\n`;
  }

  private node(key: string, drawn: string): string {
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = this.name(key);
    this.boxes.push(`  ${name}(["${quoted(drawn)}"])`);
    return name;
  }

  private name(key: string): string {
    const name = `n${this.names.size}`;
    this.names.set(key, name);
    return name;
  }
}

/** Mermaid takes HTML entities in quoted text; these are the characters that would end it or be taken as markup. */
function quoted(text: string): string {
  return text.replace(/[&"<>#`]/g, (character) => `#${character.charCodeAt(0)};`).replace(/[\r\n]+/g, ' ');
}
