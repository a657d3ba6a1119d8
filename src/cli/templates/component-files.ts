/** The longest scheme with which every line of the templates stays within the width of a line. */
const LONGEST = 18;

/** Schemes that are a folder name and begin a class name as well; a URI would allow `+` and `.` too. */
export function isSchemeForFolder(scheme: string): boolean {
  return scheme.length <= LONGEST && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(scheme);
}

/** `my-queue` as `MyQueue`. */
const classWord = (scheme: string): string =>
  scheme
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** A component as it begins: one target whose work a port does, its options as a table, and the suite every one keeps to. */
export function componentFiles(scheme: string): Readonly<Record<string, string>> {
  const name = classWord(scheme);
  return {
    'index.ts': indexOf(scheme, name),
    [`${scheme}.component.ts`]: componentOf(scheme, name),
    [`${scheme}.component.spec.ts`]: specOf(scheme, name),
  };
}

const indexOf = (scheme: string, name: string): string =>
  `export type { ${name}Caller } from './${scheme}.component.js';
export { ${name}Component } from './${scheme}.component.js';
`;

const componentOf = (
  scheme: string,
  name: string,
): string => `import { untilAborted } from '../../common/engine/api/abort.js';
import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { Deadline } from '../../common/engine/api/deadline.js';
import { duration, readOptions } from '../../common/engine/api/options.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { journey, type Exchange } from '../../common/engine/model/exchange.js';

/** What the component asks of the world; a module fills it. */
export interface ${name}Caller {
  /** @param name what stands after ${scheme}:// */
  call(name: string, body: unknown, signal: AbortSignal): Promise<unknown>;
}

const options = {
  timeout: duration('How long one call may take.', 30_000),
};

/** \`${scheme}://name\`: sends the body and takes the answer as the new one. */
export class ${name}Component extends Component {
  readonly scheme = '${scheme}';
  readonly description = 'Sends the body to ${scheme} and takes its answer as the new body.';
  readonly options = options;

  constructor(
    private readonly caller: ${name}Caller,
    private readonly clock: Clock,
  ) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const { timeout } = readOptions(uri, options);
    const name = uri.path;
    if (name === '') {
      throw new HelixError('WORKSPACE.INVALID', 'This needs a name: write ${scheme}://name.');
    }
    return { uri, producer: () => (exchange) => this.#call(name, timeout, exchange) };
  }

  async #call(name: string, timeoutMs: number, exchange: Exchange): Promise<void> {
    const mine = exchange[journey];
    const limit = new Deadline([exchange.cancellation], timeoutMs, this.clock, () => late(name, timeoutMs));
    try {
      const answer = await untilAborted(this.caller.call(name, exchange.body, limit.signal), limit.signal);
      // With another mark it was given up meanwhile and is on another way.
      if (exchange[journey] === mine) exchange.body = answer;
    } finally {
      limit.release();
    }
  }
}

function late(name: string, timeoutMs: number): HelixError {
  return new HelixError('ENGINE.TIMED_OUT', \`${scheme}://\${name} took longer than \${timeoutMs} ms.\`);
}
`;

const specOf = (scheme: string, name: string): string => `import { describe, expect, it } from 'vitest';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock } from '../../common/engine/testing/manual-clock.js';
import { startEngine } from '../../common/engine/testing/test-engine.js';
import { ${name}Component, type ${name}Caller } from './index.js';

const echo: ${name}Caller = { call: (name, body) => Promise.resolve({ name, body }) };

const make = (): ${name}Component => new ${name}Component(echo, new ManualClock());

describeComponent(make, '${scheme}://name', '${scheme}://name?timeout=5s');

async function start(caller: ${name}Caller, uri: string) {
  const clock = new ManualClock();
  const { engine } = await startEngine({
    clock,
    components: [new ${name}Component(caller, clock)],
    workflows: [{ id: 'w', from: 'test://w', steps: [{ target: uri }] }],
  });
  return { engine, clock };
}

describe('${scheme}://', () => {
  it('sends the body and takes the answer', async () => {
    const { engine } = await start(echo, '${scheme}://place');
    const exchange = engine.exchange('w', { body: 1 });
    await engine.run('w', exchange);
    expect(exchange.body).toEqual({ name: 'place', body: 1 });
  });

  it('gives up after its time-out and aborts the call', async () => {
    let isAborted = false;
    const never: ${name}Caller = {
      call: (_name, _body, signal) => {
        signal.addEventListener('abort', () => (isAborted = true), { once: true });
        return new Promise(() => {});
      },
    };
    const { engine, clock } = await start(never, '${scheme}://place?timeout=5s');
    const exchange = engine.exchange('w', {});
    const running = engine.run('w', exchange);
    await clock.advance(5000);
    await running;
    expect(exchange.failure).toMatchObject({ code: 'ENGINE.TIMED_OUT' });
    expect(isAborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('asks for a name', () => {
    expect(() => make().endpoint(EndpointUri.parse('${scheme}://'))).toThrow('needs a name');
  });
});
`;
