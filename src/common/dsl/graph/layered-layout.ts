import type { GraphEdge, WorkspaceGraph } from './workspace-graph.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything stands: nodes by their centre, edges by the points they go through. Units are pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly { readonly edge: GraphEdge; readonly points: readonly Point[] }[];
}

export interface Sizes {
  readonly boxWidth: number;
  readonly boxHeight: number;
  readonly gapX: number;
  readonly gapY: number;
  readonly margin: number;
}

/** How often the order within layers is improved from its neighbours. */
const SWEEPS = 8;

/**
 * A layered drawing from left to right after Sugiyama: edges that close a circle are turned round, a node stands right of
 * all that send to it, long edges get a place of their own in each layer they cross, and each layer is ordered by the
 * mean place of its neighbours.
 */
export function layeredLayout({ nodes, edges }: WorkspaceGraph, sizes: Sizes): Layout {
  const ids = nodes.map(({ id }) => id);
  const forward = withoutCircles(ids, edges);
  const rank = ranksOf(ids, forward);
  const chains = edges.map((edge, at) => chainOf(edge, at, rank));
  const layers = layersOf(ids, rank, chains);
  order(layers, chains);
  const places = placesOf(layers, sizes);
  const at = (id: string): Point => places.get(id) ?? { x: 0, y: 0 };
  const tallest = Math.max(1, ...layers.map((layer) => layer.length));
  return {
    width: 2 * sizes.margin + layers.length * sizes.boxWidth + Math.max(0, layers.length - 1) * sizes.gapX,
    height: 2 * sizes.margin + tallest * sizes.boxHeight + (tallest - 1) * sizes.gapY,
    nodes: new Map(ids.map((id) => [id, at(id)])),
    edges: edges.map((edge, index) => ({ edge, points: (chains[index] ?? []).map(at) })),
  };
}

type Pair = readonly [from: string, to: string];

/** The edges with those turned round that lead back to where a walk came from. */
function withoutCircles(ids: readonly string[], edges: readonly GraphEdge[]): readonly Pair[] {
  const state = new Map<string, 'open' | 'done'>();
  const forward: Pair[] = [];
  const visit = (id: string): void => {
    state.set(id, 'open');
    for (const { from, to } of edges) {
      if (from !== id || to === id) continue;
      forward.push(state.get(to) === 'open' ? [to, from] : [from, to]);
      if (!state.has(to)) visit(to);
    }
    state.set(id, 'done');
  };
  const sources = ids.filter((id) => !edges.some(({ to }) => to === id));
  for (const id of [...sources, ...ids]) if (!state.has(id)) visit(id);
  return forward;
}

function ranksOf(ids: readonly string[], pairs: readonly Pair[]): Map<string, number> {
  const rank = new Map(ids.map((id) => [id, 0]));
  // A way through all nodes has one edge less than nodes, so this ends after as many rounds.
  for (let moved = true, round = 0; moved && round < ids.length; round++) {
    moved = false;
    for (const [from, to] of pairs) {
      const wanted = (rank.get(from) ?? 0) + 1;
      if ((rank.get(to) ?? 0) >= wanted) continue;
      rank.set(to, wanted);
      moved = true;
    }
  }
  return rank;
}

/** The ids an edge goes through: its ends, and a place in each layer between them. */
function chainOf({ from, to }: GraphEdge, at: number, rank: ReadonlyMap<string, number>): readonly string[] {
  const [start, end] = [rank.get(from) ?? 0, rank.get(to) ?? 0];
  const step = Math.sign(end - start);
  const between = Array.from({ length: Math.max(0, Math.abs(end - start) - 1) }, (_, index) => {
    const layer = start + step * (index + 1);
    return `${layer}/${at}`;
  });
  return [from, ...between, to];
}

function layersOf(
  ids: readonly string[],
  rank: ReadonlyMap<string, number>,
  chains: readonly (readonly string[])[],
): string[][] {
  const layers: string[][] = Array.from({ length: Math.max(0, ...rank.values()) + 1 }, () => []);
  for (const id of ids) layers[rank.get(id) ?? 0]?.push(id);
  for (const chain of chains) {
    for (const place of chain.slice(1, -1)) layers[Number(place.split('/')[0])]?.push(place);
  }
  return layers;
}

function order(layers: string[][], chains: readonly (readonly string[])[]): void {
  const neighbours = new Map<string, string[]>();
  for (const chain of chains) {
    chain.slice(1).forEach((id, at) => {
      const before = chain[at] ?? '';
      neighbours.set(id, [...(neighbours.get(id) ?? []), before]);
      neighbours.set(before, [...(neighbours.get(before) ?? []), id]);
    });
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const sequence = layers.map((_, at) => (sweep % 2 === 0 ? at : layers.length - 1 - at));
    for (const at of sequence) {
      const fixed = layers[sweep % 2 === 0 ? at - 1 : at + 1];
      const layer = layers[at];
      if (!fixed || !layer) continue;
      const place = new Map(fixed.map((id, index) => [id, (index + 0.5) / fixed.length]));
      const weight = new Map(
        layer.map((id, index) => {
          const known = (neighbours.get(id) ?? []).flatMap((near) => place.get(near) ?? []);
          const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
          return [id, known.length > 0 ? mean : (index + 0.5) / layer.length];
        }),
      );
      layer.sort((a, b) => (weight.get(a) ?? 0) - (weight.get(b) ?? 0));
    }
  }
}

/** Each layer is a column, centred against the tallest. */
function placesOf(layers: readonly (readonly string[])[], sizes: Sizes): Map<string, Point> {
  const { boxWidth, boxHeight, gapX, gapY, margin } = sizes;
  const tallest = Math.max(1, ...layers.map((layer) => layer.length));
  const pitch = boxHeight + gapY;
  return new Map(
    layers.flatMap((layer, column) => {
      const top = margin + ((tallest - layer.length) * pitch) / 2;
      const x = margin + column * (boxWidth + gapX) + boxWidth / 2;
      return layer.map((id, row) => [id, { x, y: top + row * pitch + boxHeight / 2 }] as const);
    }),
  );
}
