import { setImmediate } from 'node:timers/promises';
import type { JsonSchema } from '../../../common/engine/api/workflow-directory.js';
import type { CatalogueTool } from '../tool-descriptor.js';
import { type Postings, PostingsBuilder } from './postings.js';
import { Scoreboard } from './scoreboard.js';
import { synonymsOf } from './synonyms.js';
import { TopPlaces } from './top-places.js';
import { Vocabulary } from './vocabulary.js';
import { askedWords, wordsOf } from './words.js';

/** How much a match in each part of a tool says, compared with one in its description. */
const weights = { id: 8, name: 6, field: 3, summary: 2, description: 1 } as const;
/** What a near match says, compared with the asked word itself. */
const closeness = { exact: 1, prefix: 0.7, synonym: 0.5, typo: 0.4 } as const;
/** Shorter beginnings fit nearly everything. */
const shortestPrefix = 2;
/** So many tools are read before other work is let in. */
const breath = 200;
/**
 * A ranked full-text search over tools held in memory: words of id, name, argument names, summary and description, by
 * their beginnings, their synonyms in the field and with typos. An inverted index: the time of a search grows with the
 * number of matches, not of tools.
 */
export class ToolIndex {
  readonly #tools: readonly CatalogueTool[];
  readonly #vocabulary: Vocabulary;
  readonly #postings: readonly Postings[];
  readonly #board: Scoreboard;

  private constructor(tools: readonly CatalogueTool[], words: PostingsBuilder) {
    this.#tools = tools;
    this.#vocabulary = new Vocabulary(words.words());
    this.#postings = this.#vocabulary.words.map((word) => words.postingsOf(word));
    this.#board = new Scoreboard(tools.length);
  }

  static of(tools: readonly CatalogueTool[]): ToolIndex {
    const ordered = orderById(tools);
    const words = new PostingsBuilder();
    for (const [place, tool] of ordered.entries()) addTool(words, place, tool);
    return new ToolIndex(ordered, words);
  }

  /** As `of`, for a catalogue so large that other work must be let in meanwhile: 100,000 tools take seconds. */
  static async ofMany(tools: readonly CatalogueTool[]): Promise<ToolIndex> {
    const ordered = orderById(tools);
    const words = new PostingsBuilder();
    for (const [place, tool] of ordered.entries()) {
      addTool(words, place, tool);
      if (place % breath === breath - 1) await setImmediate();
    }
    return new ToolIndex(ordered, words);
  }

  /**
   * The best tools that `accepts` lets through, and how many there are in all. Without words to look for: all, by id.
   */
  search(
    text: string,
    limit: number,
    accepts: (tool: CatalogueTool) => boolean,
  ): { tools: CatalogueTool[]; total: number } {
    if (text.trim() === '') {
      const tools = this.#tools.filter(accepts);
      return { tools: tools.slice(0, limit), total: tools.length };
    }
    for (const word of askedWords(text)) {
      this.#match(word);
      this.#board.endWord();
    }
    const top = new TopPlaces(limit);
    let total = 0;
    this.#board.end((place, score) => {
      if (!accepts(this.#at(place))) return;
      total += 1;
      top.offer(place, score);
    });
    return { tools: top.places.map((place) => this.#at(place)), total };
  }

  #match(asked: string): void {
    this.#take(this.#vocabulary.numberOf(asked), closeness.exact);
    if (asked.length >= shortestPrefix) {
      const { from, to } = this.#vocabulary.beginningWith(asked);
      for (let number = from; number < to; number += 1) this.#take(number, closeness.prefix);
    }
    for (const other of synonymsOf(asked)) this.#take(this.#vocabulary.numberOf(other), closeness.synonym);
    // Only a word that means nothing here is taken for a mistyped one: `order` does not bring what is `older`.
    if (this.#board.isWordUnmatched)
      for (const number of this.#vocabulary.mistyped(asked)) this.#take(number, closeness.typo);
  }

  #take(number: number | undefined, factor: number): void {
    const postings = number === undefined ? undefined : this.#postings[number];
    if (postings) this.#board.match(postings, factor);
  }

  #at(place: number): CatalogueTool {
    return this.#tools[place] as CatalogueTool;
  }
}

function orderById(tools: readonly CatalogueTool[]): CatalogueTool[] {
  return [...tools].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function addTool(builder: PostingsBuilder, place: number, tool: CatalogueTool): void {
  const add = (text: string | null, weight: number, isTitle = false) => {
    const words = wordsOf(text ?? '');
    // In a short title each word says more about the tool than in a long one.
    const share = isTitle ? 1 / (1 + 0.1 * Math.max(0, words.length - 1)) : 1;
    for (const word of words) builder.add(word, place, weight * share);
  };
  add(tool.id, weights.id, true);
  add(tool.name, weights.name, true);
  add(tool.provider, weights.field);
  for (const name of namesOf(tool.inputSchema)) add(name, weights.field);
  add(tool.summary, weights.summary);
  add(tool.description, weights.description);
}

function namesOf(schema: JsonSchema | null): string[] {
  const properties = schema?.properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
