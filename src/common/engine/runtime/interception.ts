import type { Predicate } from '../api/expression.js';
import * as fields from '../api/fields/index.js';
import { Interceptor, type StepInfo } from '../api/interceptor.js';
import type { Processor } from '../api/processor.js';
import { EndpointUri } from '../model/endpoint-uri.js';
import { journey, type Exchange } from '../model/exchange.js';
import type { SourceNode } from '../model/source-node.js';
import { addressPattern, matches, type AddressPattern } from './address-pattern.js';
import { adviceShape, interceptionShape } from './interception-shape.js';
import type { RouteCompiler } from './route-compiler.js';

interface Advice {
  readonly patterns: readonly AddressPattern[];
  readonly when: Predicate | null;
  readonly run: Processor;
  readonly skip: boolean;
}

/**
 * The declared interceptors of one workflow, the workspace's before its own. Their steps are done on the exchange itself
 * and are not intercepted again; where one of them fails or stops, what it stands before is not done.
 */
export class Interception {
  readonly aroundSteps: readonly Interceptor[];
  readonly #from: readonly Advice[];
  readonly #sendTo: readonly Advice[];

  /** @param build compiles the interceptors' own steps */
  constructor(
    sources: readonly SourceNode[],
    private readonly build: RouteCompiler,
  ) {
    const read = sources.flatMap((source) =>
      (source.kind === 'list' ? source.items : [source]).map((item) => ({
        values: fields.readShape(item, interceptionShape, build),
        place: item.place,
      })),
    );
    const all = (
      key: keyof typeof interceptionShape,
      toPattern: (text: string) => AddressPattern,
    ): readonly Advice[] =>
      read.flatMap(({ values, place }) =>
        values[key].map((entry) =>
          adviceOf(entry, (text) => patternOf(text, toPattern, place, build), build),
        ),
      );
    this.aroundSteps = all('intercept', addressPattern).map((each) => new BeforeStep(each));
    this.#from = all('intercept-from', asAddress);
    this.#sendTo = all('intercept-send-to', asAddress);
  }

  /** The workflow's pipeline with what comes before its first step. */
  aroundTrigger(trigger: EndpointUri, pipeline: Processor): Processor {
    const advices = fitting(this.#from, [addressOf(trigger)]);
    if (advices.length === 0) return pipeline;
    const first = this.build.chained(
      'intercept-from',
      before(advices, () => undefined),
    );
    return (exchange) => {
      const mine = exchange[journey];
      const goOn = (): void | Promise<void> => {
        if (exchange[journey] === mine && exchange.failure === null && !exchange.stopped)
          return pipeline(exchange);
      };
      const pending = first(exchange);
      return pending === undefined ? goOn() : pending.then(goOn);
    };
  }

  aroundTarget(target: EndpointUri, producer: Processor): Processor {
    return before(fitting(this.#sendTo, [addressOf(target)]), producer);
  }

  /** The same for an address known only now; it was parsed once already to find its producer. */
  aroundDynamic(target: string, producer: Processor): Processor {
    return this.#sendTo.length === 0 ? producer : this.aroundTarget(EndpointUri.parse(target), producer);
  }
}

/** The address without its options: they may hold secrets, and come in any order. */
function addressOf({ scheme, path }: EndpointUri): string {
  return `${scheme}://${path}`;
}

/** An exact address is compared as the engine reads it: `direct:a` is `direct://a`. */
function asAddress(text: string): AddressPattern {
  if (text.endsWith('*') || text.startsWith('/')) return addressPattern(text);
  return addressPattern(addressOf(EndpointUri.parse(text)));
}

function fitting(advices: readonly Advice[], names: readonly string[]): readonly Advice[] {
  return advices.filter(({ patterns }) => matches(patterns, names));
}

function adviceOf(
  { match, when, steps, ...more }: fields.ShapeValues<typeof adviceShape> & { readonly skip?: boolean },
  toPattern: (text: string) => AddressPattern,
  build: RouteCompiler,
): Advice {
  return {
    patterns: match.map(toPattern),
    when,
    run: build.pipeline(steps ?? []),
    skip: more.skip ?? false,
  };
}

/** Where the text is no pattern nothing is matched by it: an empty list would match all. */
function patternOf(
  text: string,
  make: (text: string) => AddressPattern,
  place: SourceNode['place'],
  build: RouteCompiler,
): AddressPattern {
  try {
    return make(text);
  } catch {
    const message = `"${text}" is no pattern: write an exact name, a prefix that ends in *, or /a regular expression/.`;
    build.problem({ severity: 'error', rule: 'wrong-value', message, place });
    return () => false;
  }
}

/** The advices one after the other, then the target, unless one of them fails, stops or stands in its place. */
function before(advices: readonly Advice[], target: Processor): Processor {
  return advices.reduceRight<Processor>(
    (next, advice) => (exchange) => run(advice, exchange, () => next(exchange)),
    target,
  );
}

function run(
  { when, run: steps, skip }: Advice,
  exchange: Exchange,
  next: () => void | Promise<void>,
): void | Promise<void> {
  if (when !== null && !when(exchange)) return next();
  const { stepId } = exchange;
  const mine = exchange[journey];
  const goOn = (): void | Promise<void> => {
    if (exchange[journey] !== mine || exchange.failure !== null || exchange.stopped) return;
    exchange.stepId = stepId;
    if (!skip) return next();
  };
  const pending = steps(exchange);
  return pending === undefined ? goOn() : pending.then(goOn);
}

/** Does its steps before each step that it means. */
class BeforeStep extends Interceptor {
  readonly name = 'declared';
  override readonly scope = 'step';

  constructor(private readonly advice: Advice) {
    super();
  }

  intercept(exchange: Exchange, step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    return matches(this.advice.patterns, [step.stepId, step.keyword])
      ? run(this.advice, exchange, next)
      : next();
  }
}
