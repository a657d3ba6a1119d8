/** The door of the workspace language: YAML in, definitions and findings out. */
export type {
  CatalogueCredential,
  CatalogueSource,
  McpSource,
  OpenApiSource,
} from './catalogue/catalogue-source.js';
export { readCatalogue } from './catalogue/read-catalogue.js';
export { parseWorkspace, type ParsedWorkspace } from './parse-workspace.js';
export { validateWorkspace } from './validate-workspace.js';
export type { Vocabulary } from './rules/rule.js';
export { jsonReport } from './report/json-report.js';
export { sarifReport } from './report/sarif-report.js';
export { textReport } from './report/text-report.js';
export { deadLetter } from './rules/step-lists.js';
export { scriptCheck } from './check-script.js';
export { type GraphFormat, graphText } from './graph/graph-text.js';
export { neighbourhood, type WorkspaceGraph, workspaceGraph } from './graph/workspace-graph.js';
export { workspaceSchema } from './schema/workspace-schema.js';
export type {
  CallExpectation,
  Data,
  ElapsedExpectation,
  Expectations,
  FailureExpectation,
  Fault,
  Mishap,
  Mock,
  Reply,
  TestDefinition,
  TestMessage,
  TestScript,
} from './tests/test-definition.js';
export { isTestFile } from './source/find-files.js';
