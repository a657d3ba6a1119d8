import { pathToFileURL } from 'node:url';
import { isAbsolute } from 'node:path';
import type { WorkspaceProblem } from '../../engine/model/workflow-definition.js';
import { ruleSentence } from '../rules/rule-sentences.js';
import { shownPath } from './text-report.js';

/** SARIF 2.1.0 (OASIS), for code scanning and editors. Paths below `folder` are relative to `%SRCROOT%`. */
export function sarifReport(problems: readonly WorkspaceProblem[], folder: string, version: string): string {
  const rules = [...new Set(problems.map(({ rule }) => rule))].sort();
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'helix',
            semanticVersion: version,
            rules: rules.map((id) => ({ id, shortDescription: { text: ruleSentence(id) } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { uri: `${pathToFileURL(folder).href.replace(/\/$/, '')}/` } },
        results: problems.map(({ rule, severity, message, place }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level: severity === 'info' ? 'note' : severity,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: artifact(shownPath(place.file, folder)),
                region: { startLine: place.line, startColumn: place.column },
              },
            },
          ],
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function artifact(path: string): { uri: string; uriBaseId?: string } {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  const uri = path.split(/[\\/]/).map(encodeURIComponent).join('/');
  return { uri, uriBaseId: '%SRCROOT%' };
}
