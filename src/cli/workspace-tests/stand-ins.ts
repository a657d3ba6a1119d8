import type { Fault, Mishap, Mock, Reply, TestDefinition } from '../../common/dsl/index.js';
import { pause, untilAborted } from '../../common/engine/api/abort.js';
import type { Expression, ExpressionLanguage } from '../../common/engine/api/expression.js';
import type { Clock } from '../../common/engine/api/ports.js';
import type { Processor } from '../../common/engine/api/processor.js';
import { codedFailure } from '../../common/engine/errors/coded-failure.js';
import { journey, type Exchange } from '../../common/engine/model/exchange.js';
import { isolate } from '../../common/engine/model/isolate.js';
import { asAddress } from './recorded-calls.js';

/** What a test puts before and in place of targets. */
export class StandIns {
  readonly #mocks;
  readonly #faults;
  readonly #allowed;

  constructor(
    { mocks, faults, allow }: Pick<TestDefinition, 'mocks' | 'faults' | 'allow'>,
    private readonly clock: Clock,
    language: ExpressionLanguage,
  ) {
    this.#mocks = mocks.map((mock) => ({
      fits: asAddress(mock.uri.text),
      answer: this.#script(mock, language),
    }));
    this.#faults = faults.map((fault) => ({ fits: asAddress(fault.uri.text), fault, count: 0 }));
    this.#allowed = allow.map(({ text }) => asAddress(text));
  }

  /** What stands in for the address; undefined where nothing does. */
  mockOf(address: string): Processor | undefined {
    return this.#mocks.find(({ fits }) => fits(address))?.answer;
  }

  isAllowed(address: string): boolean {
    return this.#allowed.some((fits) => fits(address));
  }

  /** The target with what is to go wrong before it. */
  withFaults(address: string, target: Processor): Processor {
    const mine = this.#faults.filter(({ fits }) => fits(address));
    if (mine.length === 0) return target;
    return (exchange) => {
      const due = mine.filter((each) => {
        each.count++;
        return each.fault.call === null || each.fault.call === each.count;
      });
      const [first] = due;
      return first ? this.#mishap(first.fault, exchange, () => target(exchange)) : target(exchange);
    };
  }

  #script({ uri, replies }: Mock, language: ExpressionLanguage): Processor {
    const scripts = new Map<Reply, Expression>();
    for (const reply of replies) {
      if (reply.script) scripts.set(reply, language.compile(reply.script.source, `mock ${uri.text}`));
    }
    const turns = replies.flatMap((reply) =>
      Array.from({ length: Math.min(reply.times, 10_000) }, () => reply),
    );
    let count = 0;
    return (exchange) => {
      const reply = turns[Math.min(count++, turns.length - 1)];
      if (reply === undefined) return;
      return this.#mishap(reply, exchange, () => answer(exchange, reply, scripts.get(reply)));
    };
  }

  /** Waits, fails or hangs as told; else goes on. */
  #mishap(
    mishap: Fault | Reply | Mishap,
    exchange: Exchange,
    next: () => void | Promise<void>,
  ): void | Promise<void> {
    if (mishap.hang) return untilAborted(new Promise<void>(() => {}), exchange.signal);
    const end = (): void | Promise<void> => {
      if (mishap.fail === null && mishap.message === null) return next();
      throw codedFailure(mishap.fail, mishap.message ?? 'The test has this call fail.');
    };
    if (mishap.delayMs === 0) return end();
    const mine = exchange[journey];
    return pause(this.clock, mishap.delayMs, exchange.signal).then(() =>
      // With another mark it was given up meanwhile and is on another way.
      exchange[journey] === mine ? end() : undefined,
    );
  }
}

function answer(exchange: Exchange, reply: Reply, script: Expression | undefined): void {
  if (script) exchange.body = script.evaluate(exchange);
  else if (reply.body !== undefined) exchange.body = isolate(reply.body);
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value === null) exchange.headers.delete(name);
    else exchange.headers.set(name, isolate(value));
  }
}
