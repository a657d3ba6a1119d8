import { describe, expect, it } from 'vitest';
import { standardSteps } from '../../engine/steps/index.js';
import { parseSources } from '../parse-workspace.js';
import { layeredLayout } from './layered-layout.js';
import { mermaidOf } from './mermaid.js';
import { svgOf } from './svg.js';
import { neighbourhood, workspaceGraph } from './workspace-graph.js';

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
const { definition, problems } = parseSources([{ path: 'w.yaml', text }], { TOKEN: 'hush' });
const graph = workspaceGraph(definition, standardSteps());
const sizes = { boxWidth: 100, boxHeight: 20, gapX: 50, gapY: 10, margin: 5 };

const chain = (...pairs: readonly string[]) => {
  const edges = pairs.map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '', label: '' }));
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return { nodes: ids.map((id) => ({ id, kind: 'workflow' as const, label: id })), edges };
};

it('a Mermaid drawing has tools, workflows, branches, failures and dead letters, and no value of a variable', () => {
  expect(problems).toEqual([]);
  expect(mermaidOf(graph).trimEnd().split('\n')).toEqual([
    'flowchart LR',
    '  n0["tool t"]',
    '  n1["b"]',
    '  n2(["log://#34;#60;oops#62;"])',
    '  n3(["direct://dead${TOKEN}"])',
    '  n4(["https://hook.example/${TOKEN}"])',
    '  n1 -->|"on failure"| n2',
    '  n1 -->|"dead letter"| n3',
    '  n0 -->|"choice"| n1',
    '  n0 -->|"choice"| n4',
  ]);
});

it('credentials that somebody wrote into an address are not drawn', () => {
  const drawn = parseSources(
    [
      {
        path: 'w.yaml',
        text: "workflows: [{ id: a, from: 'direct://a', steps: [{ to: 'https://ann:hush@x.example/v1' }] }]",
      },
    ],
    {},
  );
  expect(mermaidOf(workspaceGraph(drawn.definition, standardSteps()))).toContain('https://***@x.example/v1');
});

it('a part of the graph is a workflow with its neighbours', () => {
  expect(neighbourhood(graph, 'nobody')).toBeNull();
  const part = neighbourhood(graph, 't');
  expect(part?.nodes.map(({ label }) => label)).toEqual(['t', 'b', 'https://hook.example/${TOKEN}']);
  expect(part?.edges).toHaveLength(2);
});

describe('the layout', () => {
  it('puts a node right of all that send to it, and gives long edges a way of their own', () => {
    const layout = layeredLayout(chain('ab', 'bc', 'ac'), sizes);
    expect([...layout.nodes].map(([id, { x }]) => [id, x])).toEqual([
      ['a', 55],
      ['b', 205],
      ['c', 355],
    ]);
    const long = layout.edges[2]?.points ?? [];
    expect(long.map(({ x }) => x)).toEqual([55, 205, 355]);
    expect(long[1]?.y).not.toBe(layout.nodes.get('b')?.y);
    expect(layout).toMatchObject({ width: 410, height: 60 });
  });

  it('ends for circles, a node that sends to itself, and nothing at all', () => {
    const circle = layeredLayout(chain('ab', 'ba', 'aa'), sizes);
    expect(circle.nodes.get('a')?.x).toBeLessThan(circle.nodes.get('b')?.x ?? 0);
    expect(layeredLayout(chain(), sizes)).toMatchObject({ height: 30, edges: [] });
  });

  it('crosses no edges where it need not', () => {
    const { nodes } = layeredLayout(chain('ax', 'by', 'ay', 'az', 'bz'), sizes);
    const y = (id: string): number => nodes.get(id)?.y ?? 0;
    expect(y('a') < y('b')).toBe(y('x') < y('y'));
  });

  it('takes a thousand nodes in its stride', () => {
    const edges = Array.from({ length: 999 }, (_, at) => ({ from: `${at}`, to: `${at + 1}`, label: '' }));
    const nodes = Array.from({ length: 1000 }, (_, at) => ({
      id: `${at}`,
      kind: 'tool' as const,
      label: 'x',
    }));
    expect(layeredLayout({ nodes, edges }, sizes).width).toBe(2 * 5 + 1000 * 100 + 999 * 50);
  });
});

it('an SVG is well-formed, described, and holds nothing from outside and no secret', () => {
  const svg = svgOf(graph, 'Shop & "more"');
  expect(svg).toContain('<title id="title">Shop &#38; &#34;more&#34;</title>');
  expect(svg).toContain('t sends to b (choice).');
  expect(svg).toContain('(dead letter)');
  expect(svg).toContain('log://&#34;&#60;oops&#62;');
  expect(svg).not.toContain('hush');
  expect(svg.replace('http://www.w3.org/2000/svg', '').replaceAll('https://hook.example', '')).not.toMatch(
    /https?:|<script|@import|url\((?!#)/,
  );
  expect(svg.match(/<g>/g)?.length).toBe(svg.match(/<\/g>/g)?.length);
});
