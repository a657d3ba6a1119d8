import { closest } from '../../engine/api/options.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { placeSeenFrom, type MapEntry, type Place, type SourceNode } from '../../engine/model/source-node.js';
import type {
  ToolSource,
  WorkflowDefinition,
  WorkspaceDefinition,
} from '../../engine/model/workflow-definition.js';
import { isTestFile } from '../source/find-files.js';
import { policyShape, readWorkflow } from './workflow-shape.js';
import { readTool } from './tool-shape.js';

/** Sections that others read (agents, model providers, upstream servers, tests); passed on as written. */
export const furtherSections = {
  agents: 'Agents that reason with a model and call tools.',
  providers: 'Model providers.',
  connections: 'Named upstream servers.',
  catalogue: 'Foreign APIs and MCP servers whose tools are tools of every workspace, by name.',
  tests: 'Tests of the workflows.',
} as const;

export const topLevelKeys: readonly string[] = [
  'tools',
  'workflows',
  ...Object.keys(furtherSections),
  ...Object.keys(policyShape),
];

type PolicyKey = keyof typeof policyShape;

/** Merges the files of a workspace and refuses what cannot stand in one. */
export function readWorkspace(roots: readonly SourceNode[], reader: FieldReader): WorkspaceDefinition {
  const tools: ToolSource[] = [];
  const workflows: WorkflowDefinition[] = [];
  const defaults = new Map<string, MapEntry>();
  const sections = new Map<string, SourceNode[]>();
  const report = (rule: string, place: Place, message: string, suggestion?: string) =>
    reader.problem({ severity: 'error', rule, place, message, ...(suggestion ? { suggestion } : {}) });

  for (const root of roots) {
    if (root.kind !== 'map') {
      report('wrong-value', root.place, `A workspace file is a map with ${topLevelKeys.join(', ')}.`);
      continue;
    }
    for (const item of root.entries) {
      if (item.key !== 'tests' && isTestFile(root.place.file)) {
        report(
          'test-file',
          item.place,
          'A *.test.yaml file holds tests and nothing else, because a running workspace does not read it: move this.',
        );
      }
      if (item.key === 'tools') tools.push(...listed(item, reader, readTool));
      else if (item.key === 'workflows') workflows.push(...listed(item, reader, readWorkflow));
      else if (Object.hasOwn(policyShape, item.key)) {
        const twin = defaults.get(item.key);
        if (twin) {
          report(
            'duplicate-section',
            item.place,
            `${item.key} stands in two files, first in ${placeSeenFrom(item.place, twin.place)}: keep one, it holds for every workflow.`,
          );
        } else defaults.set(item.key, item);
      } else if (Object.hasOwn(furtherSections, item.key)) {
        sections.set(item.key, [...(sections.get(item.key) ?? []), item.value]);
      } else {
        const hint = closest(item.key, topLevelKeys);
        const advice = hint
          ? `did you mean "${hint}"?`
          : `a workspace file knows ${topLevelKeys.join(', ')}.`;
        report('unknown-key', item.place, `"${item.key}" is not known here; ${advice}`, hint);
      }
    }
  }
  const value = (key: PolicyKey): SourceNode | null => defaults.get(key)?.value ?? null;
  const names = new Names(reader);
  return {
    tools: tools.filter(({ definition, place, steps }) =>
      names.take(definition.id, 'tool', place, steps.length > 0),
    ),
    workflows: workflows.filter(({ id, place, trigger }) =>
      names.take(id, 'workflow', place, trigger.uri.trim() !== `tool://${id}`),
    ),
    errorHandler: value('error-handler'),
    onException: value('on-exception'),
    interceptors: value('interceptors'),
    sections,
  };
}

function listed<T>(
  item: MapEntry,
  reader: FieldReader,
  read: (source: SourceNode, reader: FieldReader) => T | null,
): readonly T[] {
  const { value } = item;
  if (value.kind === 'scalar' && value.value === null) return [];
  if (value.kind === 'list') return value.items.flatMap((source) => read(source, reader) ?? []);
  reader.problem({
    severity: 'error',
    rule: 'wrong-value',
    message: `${item.key} is a list: begin each entry with "- id: …".`,
    place: value.place,
  });
  return [];
}

/**
 * Tools and workflows share one namespace: a tool with steps is a workflow too. Only a tool without steps and the
 * workflow that listens on it may have the same name, for together they are one tool.
 */
class Names {
  private readonly taken = new Map<string, { what: string; place: Place; alone: boolean }>();

  constructor(private readonly reader: FieldReader) {}

  /** False, with the problem reported, where the id is taken; false too for an id that could not be read. */
  take(id: string, what: string, place: Place, alone: boolean): boolean {
    if (id === '') return false;
    const twin = this.taken.get(id);
    if (!twin || (twin.what !== what && !twin.alone && !alone)) {
      this.taken.set(id, { what, place, alone: alone || twin !== undefined });
      return true;
    }
    this.reader.problem({
      severity: 'error',
      rule: 'duplicate-id',
      message:
        `The id "${id}" is taken already, by the ${twin.what} at ${placeSeenFrom(place, twin.place)}. ` +
        'Tools and workflows share their names: rename one.',
      place,
    });
    return false;
  }
}
