import { entry, plain, type SourceNode } from '../../model/source-node.js';
import type { UriNode, WorkspaceProblem } from '../../model/workflow-definition.js';

/** `scheme://…` as text, or a map of `uri` and `parameters`. Null, with the problem reported, where it is neither. */
export function readUri(source: SourceNode, report: (problem: WorkspaceProblem) => void): UriNode | null {
  const wrong = (message: string, place = source.place): null => {
    report({ severity: 'error', rule: 'wrong-value', message, place });
    return null;
  };
  if (source.kind === 'scalar' && typeof source.value === 'string') {
    return {
      uri: source.value,
      parameters: {},
      secrets: secretsOf(source),
      ...shownPathOf(source),
      place: source.place,
    };
  }
  if (source.kind !== 'map') return wrong('Write a URI such as direct://name, or { uri, parameters }.');
  const stray = source.entries.find(({ key }) => key !== 'uri' && key !== 'parameters');
  if (stray)
    return wrong(`"${stray.key}" is not known here: a target takes uri and parameters.`, stray.place);
  const uri = entry(source, 'uri');
  if (uri?.kind !== 'scalar' || typeof uri.value !== 'string')
    return wrong('"uri" is missing: write scheme://path.');
  const parameters = entry(source, 'parameters');
  if (parameters !== undefined && parameters.kind !== 'map') {
    return wrong('"parameters" is a map from option to value.', parameters.place);
  }
  const named = parameters?.entries ?? [];
  const secrets = new Set([
    ...secretsOf(uri),
    ...named.filter(({ value }) => holdsSecret(value)).map(({ key }) => key),
  ]);
  return {
    uri: uri.value,
    parameters: parameters ? (plain(parameters) as Record<string, unknown>) : {},
    secrets,
    ...shownPathOf(uri),
    place: uri.place,
  };
}

function holdsSecret(source: SourceNode): boolean {
  if (source.kind === 'scalar') return source.secret;
  if (source.kind === 'list') return source.items.some(holdsSecret);
  return source.entries.some(({ value }) => holdsSecret(value));
}

/**
 * The options whose text names a variable. Where one variable is the whole URI, any option may be the secret: all are.
 */
function secretsOf(source: SourceNode): ReadonlySet<string> {
  if (source.kind !== 'scalar' || !source.secret || typeof source.value !== 'string') return new Set();
  const written = source.written ?? source.value;
  const isWhole = !written.includes('?');
  const query = (isWhole ? source.value : written).split('?')[1] ?? '';
  return new Set(
    query
      .split('&')
      .filter((pair) => isWhole || pair.includes('${'))
      .map((pair) => pair.split('=')[0] ?? '')
      .filter((name) => name !== ''),
  );
}

/** The path as written, where a variable stands in it. */
function shownPathOf(source: SourceNode): { readonly shownPath?: string } {
  if (source.kind !== 'scalar' || !source.secret || source.written === undefined) return {};
  const path = source.written.replace(/\?.*$/s, '').replace(/^\s*[a-z][a-z0-9+.-]*:(\/\/)?/i, '');
  return path.includes('${') ? { shownPath: path } : {};
}
