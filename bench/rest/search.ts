/**
 * Search over 100,000 tools, beside MiniSearch over the same texts in the same run.
 * Run: `npm run bench:rest -- search`.
 * Both are asked the same 500 questions (whole words, beginnings, typos, one to six words), in alternated rounds; a
 * question that must find its own tool and does not stops the run. Read the ratio.
 */
import MiniSearch from 'minisearch';
import type { CatalogueTool } from '../../src/modules/tools/tool-descriptor.js';
import { toolNamed } from '../../src/modules/tools/search/testing/tool-named.js';
import { ToolIndex } from '../../src/modules/tools/search/tool-index.js';

const TOOLS = 100_000;
const QUESTIONS = 500;
const ROUNDS = 3;
const LIMIT = 30;

const random = seeded(20_261_130);
const words = Array.from({ length: 20_000 }, madeWord);

export function search(): void {
  const tools = Array.from({ length: TOOLS }, (_, number) => madeTool(number));
  const questions = Array.from({ length: QUESTIONS }, (_, number) => madeQuestion(tools, number));

  const begun = performance.now();
  const index = ToolIndex.of(tools);
  console.log(`built in ${(performance.now() - begun).toFixed(0)} ms, ${TOOLS} tools`);

  const peerBegun = performance.now();
  const peer = new MiniSearch<CatalogueTool>({ fields: ['id', 'name', 'description'] });
  peer.addAll(tools);
  console.log(`MiniSearch: built in ${(performance.now() - peerBegun).toFixed(0)} ms`);

  const own: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(
      ...timesOf(questions, ({ text, of }) => {
        const found = index.search(text, LIMIT, () => true);
        if (of !== null && !found.tools.some(({ id }) => id === of))
          throw new Error(`"${text}" does not find ${of}`);
      }),
    );
    others.push(
      ...timesOf(questions, ({ text }) => {
        peer.search(text, {
          prefix: true,
          fuzzy: (term) => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2),
          boost: { id: 8, name: 6 },
        });
      }),
    );
  }
  report('Helix', own);
  report('MiniSearch', others);
  console.log(
    `median: ${(at(others, 0.5) / at(own, 0.5)).toFixed(1)} times faster than MiniSearch, p99 ${(at(others, 0.99) / at(own, 0.99)).toFixed(1)} times`,
  );
}

interface Question {
  readonly text: string;
  /** The tool that must be among the first; null where many fit as well. */
  readonly of: string | null;
}

function madeQuestion(tools: readonly CatalogueTool[], number: number): Question {
  const tool = tools[Math.floor(random() * TOOLS)] as CatalogueTool;
  const named = tool.name.split(' ');
  switch (number % 5) {
    case 0:
      return { text: tool.name, of: tool.id };
    case 1:
      return { text: (named[0] ?? '').slice(0, 3), of: null };
    case 2:
      return { text: named.map(mistyped).join(' '), of: null };
    case 3:
      return { text: (tool.description ?? '').split(' ').slice(0, 6).join(' '), of: null };
    default:
      return { text: `please ${named[0]} the ${named[1]} of a customer`, of: null };
  }
}

function madeTool(number: number): CatalogueTool {
  const title = [commonWord(), commonWord(), rareWord()];
  const description = Array.from({ length: 25 }, commonWord).join(' ');
  return {
    ...toolNamed(`${title.join('_')}_${number}`, description, [commonWord(), rareWord()]),
    provider: `openapi:api${number % 50}`,
    origin: 'upstream',
    name: title.join(' '),
    summary: Array.from({ length: 8 }, commonWord).join(' '),
  };
}

/** As in natural text, few words make up most of it. */
function commonWord(): string {
  return words[Math.floor(words.length ** random()) - 1] ?? 'tool';
}

function rareWord(): string {
  return words[Math.floor(random() * words.length)] ?? 'tool';
}

function madeWord(): string {
  const length = 3 + Math.floor(random() * 8);
  return Array.from({ length }, (_, place) => pick(place % 2 === 0 ? 'bcdfghklmnprtvw' : 'aeiou')).join('');
}

function mistyped(word: string): string {
  if (word.length < 5) return word;
  const place = 1 + Math.floor(random() * (word.length - 2));
  return word.slice(0, place) + pick('aeiourt') + word.slice(place + 1);
}

function pick(letters: string): string {
  return letters[Math.floor(random() * letters.length)] ?? '';
}

function timesOf(questions: readonly Question[], ask: (question: Question) => void): number[] {
  return questions.map((question) => {
    const before = process.cpuUsage();
    ask(question);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

function report(name: string, times: readonly number[]): void {
  const [median, p99, most] = [0.5, 0.99, 1].map((share) => at(times, share).toFixed(2));
  console.log(`${name}: median ${median} ms, p99 ${p99} ms, most ${most} ms of CPU a search`);
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Mulberry32: the same tools and questions in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
