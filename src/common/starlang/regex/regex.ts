import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';
import { budgetFault, coercionFault } from '../errors/fault.js';
import { steps } from '../runtime/machine.js';
import { Box } from '../values/box.js';
import { costOf } from './cost.js';
import { emit, forLinear, forNative } from './emit.js';
import { parseRegex } from './parse-regex.js';

/** One match: whole text first, then the groups; an absent group has no text and offset -1. */
export interface Match {
  start: number;
  end: number;
  groups: (string | undefined)[];
  starts: number[];
}

interface Engine {
  search(text: string, from: number): Match | undefined;
  whole(text: string): Match | undefined;
}

/** Work a backtracking search may do at worst before the linear engine takes over. */
const NATIVE_WORK = 1e7;
/** The same where only a backtracking engine can serve; beyond it the text is refused. */
const LOOK_WORK = 1e8;
/** Time of one match whose work has no known bound. */
const LOOK_MILLIS = 250;
const CHARACTERS_PER_STEP = 16;

/** A regular expression of the Java flavour whose searches never take more than linear or bounded time. */
export class Regex extends Box {
  readonly typeName = 'Regex';
  private readonly cost;
  private readonly emitted: string;
  private readonly flags: string;
  private nativeEngine: Engine | undefined;
  private linearEngine: Engine | undefined;
  private timedEngine: Engine | undefined;

  constructor(readonly source: string) {
    super();
    const parsed = parseRegex(source);
    this.cost = costOf(parsed.pattern);
    this.emitted = emit(parsed.pattern);
    this.flags = (parsed.ignoreCase ? 'i' : '') + (parsed.multiline ? 'm' : '');
  }

  /** First match at or after `from`. */
  search(text: string, from = 0): Match | undefined {
    steps(Math.ceil((text.length - from) / CHARACTERS_PER_STEP));
    return this.engine(text.length).search(text, from);
  }

  /** A match of the whole text. */
  whole(text: string): Match | undefined {
    steps(Math.ceil(text.length / CHARACTERS_PER_STEP));
    return this.engine(text.length).whole(text);
  }

  *all(text: string): Generator<Match> {
    for (let at = 0; at <= text.length;) {
      const found = this.search(text, at);
      if (!found) return;
      yield found;
      at = found.end > found.start ? found.end : found.end + 1;
    }
  }

  private engine(length: number): Engine {
    const { cost } = this;
    if (cost.exponent <= 1) return this.native();
    const work = (length + 1) ** cost.exponent;
    if (work <= (cost.needsBacktracking ? LOOK_WORK : NATIVE_WORK)) return this.native();
    return cost.needsBacktracking ? this.timed() : this.linear();
  }

  /** Look-around whose work has no known bound: only a clock can stop it. */
  private timed(): Engine {
    return (this.timedEngine ??= guard(this.source, () =>
      timedEngine(this.source, this.emitted, this.flags),
    ));
  }

  private native(): Engine {
    return (this.nativeEngine ??= guard(this.source, () => nativeEngine(this.emitted, this.flags)));
  }

  private linear(): Engine {
    return (this.linearEngine ??= guard(this.source, () => linearEngine(this.emitted, this.flags)));
  }
}

function guard(source: string, make: () => Engine): Engine {
  try {
    return make();
  } catch (error) {
    throw coercionFault(`The regular expression /${source}/ is wrong: ${(error as Error).message}`);
  }
}

const matchOf = (found: RegExpExecArray): Match => ({
  start: found.index,
  end: found.index + found[0].length,
  groups: [...found],
  starts: found.indices?.map((pair) => pair?.[0] ?? -1) ?? [],
});

type Run = (regex: RegExp, text: string) => RegExpExecArray | null;

function nativeEngine(emitted: string, flags: string, run: Run = (regex, text) => regex.exec(text)): Engine {
  const source = forNative(emitted);
  const search = new RegExp(source, `${flags}gdu`);
  const whole = new RegExp(`^(?:${source})$`, `${flags.replace('m', '')}du`);
  return {
    search: (text, from) => {
      search.lastIndex = from;
      const found = run(search, text);
      return found ? matchOf(found) : undefined;
    },
    whole: (text) => {
      const found = run(whole, text);
      return found ? matchOf(found) : undefined;
    },
  };
}

const EXECUTE = new Script('regex.exec(text)');

/** The native engine under a watchdog: V8 stops a match that runs when its time is over. */
function timedEngine(pattern: string, emitted: string, flags: string): Engine {
  const room = createContext({ regex: undefined as RegExp | undefined, text: '' });
  return nativeEngine(emitted, flags, (regex, text) => {
    Object.assign(room, { regex, text });
    try {
      return EXECUTE.runInContext(room, { timeout: LOOK_MILLIS }) as RegExpExecArray | null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw budgetFault(
        `The regular expression /${pattern}/ took too long on a text of ${text.length} characters`,
        'look-around and back-references are only safe in simple patterns on short texts',
      );
    }
  });
}

function linearEngine(emitted: string, flags: string): Engine {
  let options = 0;
  if (flags.includes('i')) options |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes('m')) options |= RE2JS.MULTILINE;
  const compiled = RE2JS.compile(forLinear(emitted), options);
  type Matcher = ReturnType<typeof compiled.matcher>;
  const matchOf = (matcher: Matcher, text: string): Match => {
    const count = matcher.groupCount();
    const starts: number[] = [];
    const groups: (string | undefined)[] = [];
    for (let i = 0; i <= count; i++) {
      const [start, end] = [matcher.start(i), matcher.end(i)];
      starts.push(start);
      groups.push(start < 0 ? undefined : text.slice(start, end));
    }
    return { start: matcher.start(), end: matcher.end(), groups, starts };
  };
  return {
    search: (text, from) => {
      const matcher = compiled.matcher(text);
      return matcher.find(from) ? matchOf(matcher, text) : undefined;
    },
    whole: (text) => {
      const matcher = compiled.matcher(text);
      return matcher.matches() ? matchOf(matcher, text) : undefined;
    },
  };
}
