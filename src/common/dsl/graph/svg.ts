import { layeredLayout, type Layout, type Point, type Sizes } from './layered-layout.js';
import type { GraphNode, WorkspaceGraph } from './workspace-graph.js';

const sizes: Sizes = { boxWidth: 230, boxHeight: 44, gapX: 120, gapY: 22, margin: 24 };
/** What a label may take of its box, and of the gap between two. */
const room = { box: sizes.boxWidth - 12, gap: sizes.gapX - 8 };

/** Colours follow the reader's own light or dark scheme; the picture needs nothing from outside. */
const style = `
svg{color-scheme:light dark;font:13px system-ui,-apple-system,"Segoe UI",sans-serif}
.ground{fill:#fff}.box{stroke-width:1.5}.workflow{fill:#eef4ff;stroke:#3b6fd4}.tool{fill:#eefaf0;stroke:#2f8f4e}
.address{fill:#f6f6f4;stroke:#8a8a80;stroke-dasharray:4 3}.name{fill:#1c1f26;text-anchor:middle}
.kind{fill:#5b6472;font-size:10px;text-anchor:middle}.edge{fill:none;stroke:#7a8494;stroke-width:1.4}
.failure{stroke:#c2453d;stroke-dasharray:5 3}.word{fill:#5b6472;font-size:11px;text-anchor:middle;stroke:#fff;stroke-width:4px;paint-order:stroke}
.tip{fill:#7a8494}
@media (prefers-color-scheme:dark){.ground{fill:#14171c}.workflow{fill:#1b2740;stroke:#7aa2f0}.tool{fill:#182b1e;stroke:#6cc48a}
.address{fill:#20232a;stroke:#8d94a1}.name{fill:#eceff4}.kind{fill:#aab2c0}.edge{stroke:#8d97a8}.failure{stroke:#f08a80}
.word{fill:#c2c9d6;stroke:#14171c}.tip{fill:#8d97a8}}`.replaceAll('\n', '');

/** A self-contained SVG 1.1 picture with a title and a description for those who do not see it. */
export function svgOf(graph: WorkspaceGraph, title: string): string {
  const layout = layeredLayout(graph, sizes);
  const { width, height } = layout;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(described(graph))}</desc>`,
    `<style>${style}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...edgesOf(layout),
    ...graph.nodes.map((node) => boxOf(node, layout.nodes.get(node.id) ?? { x: 0, y: 0 })),
    '</svg>',
  ].join('\n')}\n`;
}

function boxOf({ kind, label }: GraphNode, { x, y }: Point): string {
  const { boxWidth, boxHeight } = sizes;
  const [left, top] = [x - boxWidth / 2, y - boxHeight / 2];
  const round = kind === 'address' ? boxHeight / 2 : 7;
  const shown = fitted(label, 13, room.box);
  const named = kind === 'address' ? y + 4 : y + 11;
  return [
    `<g><title>${escaped(kind === 'address' ? label : `${kind} ${label}`)}</title>`,
    `<rect class="box ${kind}" x="${left}" y="${top}" width="${boxWidth}" height="${boxHeight}" rx="${round}"/>`,
    kind === 'address' ? '' : `<text class="kind" x="${x}" y="${y - 6}">${kind}</text>`,
    `<text class="name" x="${x}" y="${named}">${escaped(shown)}</text></g>`,
  ].join('');
}

/** Lines first and words after, so that no line runs through a word. */
function edgesOf({ edges }: Layout): readonly string[] {
  const [lines, words]: [string[], string[]] = [[], []];
  for (const { edge, points } of edges) {
    const isFailure = edge.label.startsWith('on failure') || edge.label === 'dead letter';
    const { path, middle } = edge.from === edge.to ? loopAt(points[0]) : curveThrough(points);
    lines.push(`<path class="edge${isFailure ? ' failure' : ''}" d="${path}" marker-end="url(#tip)"/>`);
    if (edge.label === '') continue;
    const shown = fitted(edge.label, 11, room.gap);
    words.push(
      `<text class="word" x="${middle.x}" y="${middle.y + 4}"><title>${escaped(edge.label)}</title>${escaped(shown)}</text>`,
    );
  }
  return [...lines, ...words];
}

/** The text as far as it fits, what is left out of its middle: ends of addresses tell more than their hosts. */
function fitted(text: string, fontSize: number, width: number): string {
  const characters = Array.from(text);
  const wide = (some: readonly string[]): number =>
    some.reduce((sum, character) => sum + breadth(character) * fontSize, 0);
  if (wide(characters) <= width) return text;
  for (let kept = characters.length - 1; kept > 0; kept--) {
    const head = characters.slice(0, Math.ceil(kept / 2));
    const tail = characters.slice(characters.length - Math.floor(kept / 2));
    const shorter = [...head, '…', ...tail];
    if (wide(shorter) <= width) return shorter.join('');
  }
  return '…';
}

/** Of a character in ems, rather too much than too little: which font there is, is the reader's business. */
function breadth(character: string): number {
  if (/[iljtfrI.,:;/|!'()[\]{}-]/.test(character)) return 0.42;
  if (/[mwMW@%…]/.test(character)) return 1;
  if (character > '\u2e7f') return 1.1;
  return /[A-Z]/.test(character) ? 0.75 : 0.56;
}

/** From side to side, with level tangents, so that arrows arrive straight. */
function curveThrough(points: readonly Point[]): { readonly path: string; readonly middle: Point } {
  const [first = { x: 0, y: 0 }] = points;
  const last = points.at(-1) ?? first;
  const direction = last.x >= first.x ? 1 : -1;
  const half = (sizes.boxWidth / 2) * direction;
  // Past the boxes of a layer between them an edge goes level, so that it bends in the gaps and crosses no box.
  const stops = points.flatMap(({ x, y }, at) => {
    const [enter, leave] = [
      { x: x - half, y },
      { x: x + half, y },
    ];
    if (at === 0) return [leave];
    return at === points.length - 1 ? [enter] : [enter, leave];
  });
  const [start = first] = stops;
  const parts = stops.slice(1).map((stop, at) => {
    const from = stops[at] ?? start;
    const bend = (stop.x - from.x) / 2;
    return `C${from.x + bend} ${from.y} ${stop.x - bend} ${stop.y} ${stop.x} ${stop.y}`;
  });
  const second = stops[1] ?? start;
  const middle = { x: (start.x + second.x) / 2, y: (start.y + second.y) / 2 };
  return { path: `M${start.x} ${start.y}${parts.join('')}`, middle };
}

function loopAt({ x, y }: Point = { x: 0, y: 0 }): { readonly path: string; readonly middle: Point } {
  const [right, top] = [x + sizes.boxWidth / 2, y - sizes.boxHeight / 2];
  const path = `M${right - 30} ${top}C${right - 30} ${top - 26} ${right + 26} ${top - 26} ${right} ${top + 12}`;
  return { path, middle: { x: right, y: top - 14 } };
}

function described({ nodes, edges }: WorkspaceGraph): string {
  const label = new Map(nodes.map((node) => [node.id, node.label]));
  const sentences = edges.map(
    ({ from, to, label: by }) =>
      `${label.get(from) ?? ''} sends to ${label.get(to) ?? ''}${by === '' ? '' : ` (${by})`}.`,
  );
  return [`${nodes.length} nodes, ${edges.length} connections.`, ...sentences].join(' ');
}

function escaped(text: string): string {
  // Control characters have no form in XML 1.0.
  // oxlint-disable-next-line no-control-regex
  const printable = text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ');
  return printable.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
