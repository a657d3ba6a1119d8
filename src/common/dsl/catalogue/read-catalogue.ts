import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type MapEntry, type SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';
import type { CatalogueSource } from './catalogue-source.js';
import { readMcpSource } from './read-mcp-source.js';
import { readOpenApiSource } from './read-openapi-source.js';

const nameForm = /^[A-Za-z0-9_-]{1,32}$/;

/** The sources of a workspace's section `catalogue`, by name. What is wrong is reported and left out. */
export function readCatalogue(
  sections: readonly SourceNode[],
  reader: FieldReader,
): readonly CatalogueSource[] {
  const found = new Map<string, CatalogueSource>();
  for (const section of sections) {
    if (section.kind === 'scalar' && section.value === null) continue;
    if (section.kind !== 'map') {
      wrongValue(reader, section.place, 'catalogue is a map from a name to a source of tools.');
      continue;
    }
    for (const written of section.entries) {
      const source = readSource(written, reader);
      if (source === null) continue;
      if (found.has(source.name))
        reader.problem({
          severity: 'error',
          rule: 'duplicate-id',
          message: `The source "${source.name}" stands twice: choose another name.`,
          place: written.place,
        });
      found.set(source.name, source);
    }
  }
  return [...found.values()];
}

function readSource({ key: name, value, place }: MapEntry, reader: FieldReader): CatalogueSource | null {
  if (!nameForm.test(name)) {
    wrongValue(reader, place, 'The name of a source has 1 to 32 letters, digits, _ or -.');
    return null;
  }
  const has = (key: string) => value.kind === 'map' && entry(value, key) !== undefined;
  if (has('openapi') === has('mcp')) {
    wrongValue(
      reader,
      place,
      `The source "${name}" needs one of "openapi" (a document) and "mcp" (a server), and not both.`,
    );
    return null;
  }
  return has('mcp') ? readMcpSource(name, value, reader) : readOpenApiSource(name, value, reader);
}
