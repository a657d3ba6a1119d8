import { rules } from './index.js';

/** Findings of the reader and of the engine's own check. */
const sentences: Readonly<Record<string, string>> = {
  'yaml-syntax': 'A workspace file is one YAML 1.2 document.',
  'yaml-alias': 'An alias refers to an anchor that stands before it.',
  'yaml-too-large': 'A file stays within bounds, its aliases written out.',
  'duplicate-key': 'A key stands once in a map.',
  'unreadable-file': 'Every file of the workspace can be read.',
  'empty-folder': 'A folder of the workspace holds YAML files.',
  'file-too-large': 'A file is not larger than allowed.',
  'too-many-files': 'A workspace has a bounded number of files.',
  variable: 'Every variable is set or has a default.',
  'unknown-key': 'Only known keys are used.',
  'missing-key': 'Required keys are given.',
  'wrong-value': 'A value has the kind its key asks for.',
  'wrong-step': 'A step is a map with exactly one keyword.',
  'conflicting-keys': 'Two keys do not say the same thing.',
  'duplicate-section': 'A default for all workflows stands in one file.',
  'duplicate-id': 'Tools and workflows have distinct ids.',
  'unknown-component': 'A URI names a component that is installed.',
  'unknown-option': 'A URI uses options its component has.',
  'wrong-option': 'An option has a value of its type.',
  'unsupported-end': 'A component is used where it can be: as a trigger, or as a target.',
  'unknown-step': 'A step has a known keyword.',
  'missing-target': 'A workflow listens on every fixed target.',
  'duplicate-consumer': 'An address that takes one consumer has one.',
  'duplicate-route': 'One workflow serves a path and method.',
  'shared-address': 'An MCP server has its port to itself.',
  'tool-without-steps': 'A tool has steps, or a workflow that listens on it.',
  'wrong-schema': 'Every JSON Schema is one.',
  'durable-workflow': 'A workflow does not ask for durability that this version does not give.',
  'reserved-id': 'A tool does not take a name that the API needs.',
};

/** What a rule asks for; the id itself for a rule that does not say. */
export function ruleSentence(id: string): string {
  return (
    rules.find((rule) => rule.id === id)?.sentence ??
    (Object.hasOwn(sentences, id) ? sentences[id] : undefined) ??
    id
  );
}
