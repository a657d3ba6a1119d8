import { describe, expect, it } from 'vitest';
import { standardSteps } from '../../engine/steps/index.js';
import { parseSources } from '../parse-workspace.js';
import { mermaidGraph } from './mermaid.js';

const text = `
tools:
  - id: t
    steps:
      - choice:
          when: [{ starlang: 'true', steps: [{ to: 'direct://b' }] }]
          otherwise: [{ to: 'https://hook.example/\${TOKEN}?key=\${TOKEN}' }]
workflows:
  - id: b
    from: direct://b
    error-handler: { dead-letter: 'direct://dead\${TOKEN}' }
    on-exception: { match: 'MCP.*', steps: [{ to: 'log://"<oops>' }] }
    steps: [{ to: tool://t, disabled: true }]
`;

describe('mermaidGraph', () => {
  it('draws tools, workflows, branches, failures and dead letters, and no value of a variable', () => {
    const { definition, problems } = parseSources([{ path: 'w.yaml', text }], { TOKEN: 'hush' });
    expect(problems).toEqual([]);
    expect(mermaidGraph(definition, standardSteps()).trimEnd().split('\n')).toEqual([
      'flowchart LR',
      '  n0["tool t"]',
      '  n1["b"]',
      '  n2(["log://#34;#60;oops#62;"])',
      '  n3(["direct://dead${TOKEN}"])',
      '  n4(["https://hook.example/${TOKEN}"])',
      '  n1 -->|"on failure"| n2',
      '  n1 -->|"dead letter"| n3',
      '  n0 --> n1',
      '  n0 --> n4',
    ]);
  });
});
