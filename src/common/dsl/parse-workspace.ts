import { literal } from '../engine/api/fields/index.js';
import type { FieldReader } from '../engine/api/route-builder.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../engine/model/workflow-definition.js';
import { Problems } from './problems.js';
import { readWorkspace } from './shape/workspace-shape.js';
import { readSources } from './source/find-files.js';
import { readYaml } from './source/read-yaml.js';
import { secretValues } from './source/secret-values.js';
import { SourceFile } from './source/source-file.js';
import type { Variables } from './source/substitute.js';
import { kindOfText } from './source/text-kinds.js';
import type { CatalogueSource } from './catalogue/catalogue-source.js';
import { readCatalogue } from './catalogue/read-catalogue.js';
import { readTests } from './tests/read-tests.js';
import type { TestDefinition } from './tests/test-definition.js';

export interface ParsedWorkspace {
  readonly definition: WorkspaceDefinition;
  /** What stands under `catalogue:`. */
  readonly catalogue: readonly CatalogueSource[];
  /** What stands under `tests:`. */
  readonly tests: readonly TestDefinition[];
  readonly problems: readonly WorkspaceProblem[];
  /** By path, for excerpts and places inside scripts. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Values of variables that no log and no answer may show. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * Reads a workspace from files and folders. Whatever is wrong stands in `problems`; the definition holds what could be
 * read. Never rejects.
 * @param variables fills `${NAME}`; the only source of variables
 * @param withTests whether `*.test.yaml` files are read too: what only runs a workspace does not stumble over its tests
 */
export async function parseWorkspace(
  paths: readonly string[],
  variables: Variables,
  { withTests = false }: { readonly withTests?: boolean } = {},
): Promise<ParsedWorkspace> {
  const problems = new Problems();
  const files = await readSources(paths, problems, withTests);
  return parseFiles(files, variables, problems);
}

/** As {@link parseWorkspace} from text at hand, so that files, the API and tests go through the same loader. */
export function parseSources(
  sources: readonly { readonly path: string; readonly text: string }[],
  variables: Variables,
): ParsedWorkspace {
  const files = sources.map(({ path, text }) => new SourceFile(path, text));
  return parseFiles(files, variables, new Problems());
}

function parseFiles(files: readonly SourceFile[], variables: Variables, problems: Problems): ParsedWorkspace {
  const roots = files.flatMap((file) => readYaml(file, variables, kindOfText, problems) ?? []);
  const reader: FieldReader = {
    problem: (problem) => problems.add(problem),
    // Scripts are compiled by those who run them; reading takes them as text.
    expression: () => literal(null),
  };
  const definition = readWorkspace(roots, reader);
  return {
    definition,
    catalogue: readCatalogue(definition.sections.get('catalogue') ?? [], reader),
    tests: readTests(definition.sections.get('tests') ?? [], reader),
    problems: problems.list(),
    files: new Map(files.map((file) => [file.path, file])),
    secrets: secretValues(roots, variables),
  };
}
