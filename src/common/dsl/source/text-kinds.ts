import type { KindOfText } from './read-yaml.js';

const uriKeys = new Set([
  'uri',
  'from',
  'to',
  'target',
  'dead-letter',
  'wire-tap',
  'multicast',
  'recipient-list',
  'enrich',
]);
const scriptKeys = new Set([
  'starlang',
  'expr',
  'when',
  'while',
  'retry-while',
  'filter',
  'predicate',
  'validate',
  'that',
]);
/** What stands below these is data of the author, whatever its keys are called. */
const dataKeys = new Set([
  'value',
  'default',
  'parameters',
  'input-schema',
  'output-schema',
  'schema',
  'input',
  'output',
]);

/** Which scalars are URIs and which are scripts, so that a variable's value is encoded for its place. */
export const kindOfText: KindOfText = (key, inherited) => {
  if (inherited === 'data') return 'data';
  if (dataKeys.has(key)) return 'data';
  if (uriKeys.has(key)) return 'uri';
  return scriptKeys.has(key) ? 'script' : 'text';
};
