/** The door of the workspace language: YAML in, definitions and findings out. */
export { parseSources, parseWorkspace, type ParsedWorkspace } from './parse-workspace.js';
export { validateWorkspace, type Checks, type WorkspaceBuilder } from './validate-workspace.js';
export type { Rule, RuleContext, Vocabulary } from './rules/rule.js';
export type { SourceFile } from './source/source-file.js';
export type { Variables } from './source/substitute.js';
export { jsonReport } from './report/json-report.js';
export { sarifReport } from './report/sarif-report.js';
export { shownPath, textReport } from './report/text-report.js';
export { checkScript } from './check-script.js';
export { mermaidGraph } from './graph/mermaid.js';
export { workspaceSchema } from './schema/workspace-schema.js';
