import type { JsonSchema } from '../../common/engine/api/workflow-directory.js';
import type { CatalogueTool } from './tool-descriptor.js';

/** How much a match in each part of a tool says, compared with one in its description. */
const weights = { id: 8, name: 6, field: 3, description: 1 } as const;
/** A word that only begins with the asked one, or is a small typo away, says less than the word itself. */
const exact = 1;
const prefix = 0.7;
const typo = 0.4;

interface IndexedTool {
  readonly tool: CatalogueTool;
  /** Each word of the tool with the weight of the best part it stands in. */
  readonly words: ReadonlyMap<string, number>;
}

/** A search over tools held in memory: words of id, name, argument names and description, with prefixes and typos. */
export class ToolIndex {
  readonly #tools: readonly IndexedTool[];

  constructor(tools: readonly CatalogueTool[]) {
    this.#tools = tools
      .map((tool) => ({ tool, words: wordsOfTool(tool) }))
      .sort((one, other) => (one.tool.id < other.tool.id ? -1 : 1));
  }

  /** All matching tools, best first; without words to look for, all tools by id. */
  search(text: string | undefined): CatalogueTool[] {
    if (text === undefined || text.trim() === '') return this.#tools.map(({ tool }) => tool);
    const asked = [...new Set(wordsOf(text))];
    const hits = asked.map((word) => this.#tools.map(({ words }) => bestMatch(word, words)));
    return this.#tools
      .map(({ tool }, place) => {
        let score = 0;
        let matched = 0;
        for (const column of hits) {
          const value = column[place] ?? 0;
          if (value === 0) continue;
          matched += 1;
          // A word that every tool contains tells little about which one is meant.
          score += value * Math.log(1 + this.#tools.length / column.filter((other) => other > 0).length);
        }
        return { tool, score, matched };
      })
      .filter(({ matched }) => matched > 0 && matched * 2 >= asked.length)
      .sort((one, other) => other.matched - one.matched || other.score - one.score)
      .map(({ tool }) => tool);
  }
}

function wordsOfTool(tool: CatalogueTool): Map<string, number> {
  const words = new Map<string, number>();
  const add = (text: string | null, weight: number) => {
    for (const word of wordsOf(text ?? '')) words.set(word, Math.max(weight, words.get(word) ?? 0));
  };
  add(tool.id, weights.id);
  add(tool.name, weights.name);
  add(tool.provider, weights.field);
  for (const name of namesOf(tool.inputSchema)) add(name, weights.field);
  add(tool.summary, weights.description);
  add(tool.description, weights.description);
  return words;
}

function namesOf(schema: JsonSchema | null): string[] {
  const properties = schema?.properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** Words in lower case; `camelCase`, `snake_case` and `kebab-case` fall apart. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function bestMatch(asked: string, words: ReadonlyMap<string, number>): number {
  let best = 0;
  for (const [word, weight] of words) {
    if (weight * exact <= best) continue;
    best = Math.max(best, weight * closeness(asked, word));
  }
  return best;
}

function closeness(asked: string, word: string): number {
  if (asked === word) return exact;
  if (asked.length >= 2 && word.startsWith(asked)) return prefix;
  const allowed = asked.length >= 8 ? 2 : asked.length >= 4 ? 1 : 0;
  return allowed > 0 && isWithin(asked, word, allowed) ? typo : 0;
}

/** Whether at most `allowed` letters are missing, added, wrong or swapped with their neighbour. */
function isWithin(one: string, other: string, allowed: number): boolean {
  if (Math.abs(one.length - other.length) > allowed) return false;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > allowed) return false;
    before = last;
    last = next;
  }
  return at(last, other.length) <= allowed;
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Number.POSITIVE_INFINITY;
}
