import type { MapNode, SourceNode } from '../../model/source-node.js';
import type { StepNode, WorkspaceProblem } from '../../model/workflow-definition.js';

/** Keys every step may carry beside its keyword. */
export const stepExtras = ['id', 'description', 'disabled'] as const;

type Report = (problem: WorkspaceProblem) => void;

/** A list of steps (or a map with the one key `steps`): each a map with exactly one keyword. Never throws. */
export function readSteps(source: SourceNode, report: Report): readonly StepNode[] {
  const wrong = (message: string, place = source.place): void =>
    report({ severity: 'error', rule: 'wrong-step', message, place });
  if (source.kind === 'scalar' && source.value === null) return [];
  if (source.kind === 'map' && source.entries.length === 1 && source.entries[0]?.key === 'steps') {
    return readSteps(source.entries[0].value, report);
  }
  if (source.kind !== 'list') {
    wrong('Write a list of steps here.');
    return [];
  }
  return source.items.flatMap((item) => {
    if (item.kind === 'map') return readStep(item, wrong) ?? [];
    wrong('A step is a map with one keyword, such as "- log: text".', item.place);
    return [];
  });
}

function readStep(
  item: MapNode,
  wrong: (message: string, place: SourceNode['place']) => void,
): StepNode | null {
  const extras = new Map<string, SourceNode>();
  const keywords = item.entries.filter(({ key, value }) => {
    if (!(stepExtras as readonly string[]).includes(key)) return true;
    extras.set(key, value);
    return false;
  });
  const [keyword, second] = keywords;
  if (!keyword) {
    wrong('The step has no keyword: say what it does.', item.place);
    return null;
  }
  if (second) {
    wrong(
      `A step has one keyword, but this one has "${keyword.key}" and "${second.key}": make them two steps.`,
      second.place,
    );
    return null;
  }
  const text = (name: string): string | null => {
    const value = extras.get(name);
    if (value === undefined) return null;
    if (value.kind === 'scalar' && value.value !== null) return String(value.value);
    wrong(`"${name}" is text.`, value.place);
    return null;
  };
  const disabled = extras.get('disabled');
  if (disabled && !(disabled.kind === 'scalar' && typeof disabled.value === 'boolean')) {
    wrong('"disabled" is true or false.', disabled.place);
  }
  return {
    keyword: keyword.key,
    id: text('id'),
    description: text('description'),
    disabled: disabled?.kind === 'scalar' && disabled.value === true,
    place: keyword.place,
    body: keyword.value,
  };
}
