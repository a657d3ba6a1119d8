import type { Data, Expectations, TestDefinition } from '../../common/dsl/index.js';
import { strict } from '../../common/engine/api/fields/index.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { contains, equal, plainOf, sharedPart } from './compare.js';
import { difference } from './difference.js';
import { miss, type Miss } from './miss.js';
import type { Outcome } from './outcome.js';
import type { Stage } from './stage.js';
import { verifyCalls, verifyLetters } from './verify-calls.js';

/** Everything that is not as the test says. */
export function verify(test: TestDefinition, outcome: Outcome, stage: Stage): readonly Miss[] {
  const { expect } = test;
  return [
    ...[...stage.refused].map((address) =>
      miss(
        test.place,
        `${address} is outside and nothing stands in for it: add it to mocks, or to allow to really call it.`,
      ),
    ),
    ...verifyFailure(expect, outcome),
    ...verifyStatus(expect, outcome),
    ...verifyWhole('the body', expect.body, outcome.body),
    ...verifyPart('the body', expect.contains, outcome.body),
    ...verifyConditions(expect, outcome, stage),
    ...verifyNamed('header', expect.headers, lowerCased(expect.headers), outcome.headers),
    ...verifyNamed('variable', expect.properties, expect.properties?.value, outcome.properties),
    ...verifyCalls(expect, stage.calls),
    ...verifyLetters(expect, stage.calls),
    ...expect.log
      .filter(({ text }) => !stage.log.lines.some((line) => line.includes(text)))
      .map(({ text, place }) =>
        miss(
          place,
          `No line of the log holds ${JSON.stringify(text)}.`,
          stage.log.lines.slice(-10).map((line) => `+ ${line}`),
        ),
      ),
    ...verifyElapsed(expect, outcome),
  ];
}

function verifyFailure({ failure, status, place }: Expectations, outcome: Outcome): readonly Miss[] {
  const { failure: found } = outcome;
  const shown =
    found && `${found.code}: ${found.message}${found.step === null ? '' : ` (step ${found.step})`}`;
  if (failure === null) {
    // A status that is expected tells by itself what the failure became.
    return shown === null || (status !== null && outcome.status !== null)
      ? []
      : [miss(place, `The workflow failed: ${shown}`)];
  }
  if (found === null)
    return [miss(failure.place, `The workflow did not fail; ${failure.code ?? 'a failure'} was expected.`)];
  const isAsExpected =
    (failure.code === null || failure.code.toUpperCase() === found.code.toUpperCase()) &&
    (failure.message === null || found.message.includes(failure.message)) &&
    (failure.step === null ||
      found.step === failure.step ||
      found.step?.endsWith(`/${failure.step}`) === true);
  if (isAsExpected) return [];
  const { code, step } = failure;
  // A part that is in the message is no difference.
  const message =
    failure.message !== null && found.message.includes(failure.message) ? found.message : failure.message;
  const wanted = Object.fromEntries(
    Object.entries({ code, message, step }).filter(([, value]) => value !== null),
  );
  return [
    miss(
      failure.place,
      'The workflow failed otherwise than expected.',
      difference(wanted, sharedPart(wanted, found)),
    ),
  ];
}

function verifyStatus({ status }: Expectations, outcome: Outcome): readonly Miss[] {
  if (status === null || status.value === outcome.status) return [];
  const found = outcome.status === null ? 'no HTTP reply, for the trigger is no http-server' : outcome.status;
  const why = outcome.failure === null ? '' : ` (${outcome.failure.code}: ${outcome.failure.message})`;
  return [miss(status.place, `The status should be ${status.value} and is ${found}${why}.`)];
}

function verifyWhole(what: string, expected: Data | null, value: unknown): readonly Miss[] {
  const found = plainOf(value);
  if (expected === null || equal(expected.value, found)) return [];
  return [miss(expected.place, `${capital(what)} is another.`, difference(expected.value, found))];
}

function verifyPart(what: string, expected: Data | null, value: unknown): readonly Miss[] {
  const found = plainOf(value);
  if (expected === null || contains(expected.value, found)) return [];
  return [
    miss(
      expected.place,
      `${capital(what)} does not contain this.`,
      difference(expected.value, sharedPart(expected.value, found)),
    ),
  ];
}

function verifyConditions({ that }: Expectations, outcome: Outcome, { language }: Stage): readonly Miss[] {
  if (that.length === 0) return [];
  const reply = new Exchange({ id: 'reply', body: outcome.body, headers: outcome.headers });
  for (const [name, value] of Object.entries(outcome.properties)) reply.properties.set(name, value);
  return that.flatMap(({ source, place }) => {
    try {
      if (strict(language.compile(source))(reply)) return [];
    } catch (thrown) {
      return [miss(place, `The condition cannot be judged: ${HelixError.from(thrown).message}`)];
    }
    const body = JSON.stringify(plainOf(outcome.body), null, 2).split('\n');
    return [
      miss(
        place,
        `This does not hold: ${source}`,
        body.slice(0, 40).map((line) => `+ ${line}`),
      ),
    ];
  });
}

function lowerCased(data: Data | null): unknown {
  if (data === null || typeof data.value !== 'object' || data.value === null) return null;
  return Object.fromEntries(
    Object.entries(data.value).map(([name, value]) => [name.toLowerCase(), value as unknown]),
  );
}

/** Each name on its own; null stands for nothing of that name. */
function verifyNamed(
  what: string,
  data: Data | null,
  expected: unknown,
  found: Readonly<Record<string, unknown>>,
): readonly Miss[] {
  if (data === null || typeof expected !== 'object' || expected === null) return [];
  return Object.entries(expected).flatMap(([name, value]: [string, unknown]) => {
    const given = plainOf(Object.hasOwn(found, name) ? found[name] : null);
    if (equal(value, given)) return [];
    return [miss(data.place, `The ${what} ${name} is another.`, difference(value, given))];
  });
}

function verifyElapsed({ elapsed }: Expectations, { elapsedMs }: Outcome): readonly Miss[] {
  if (elapsed === null) return [];
  const { exactlyMs, atLeastMs, atMostMs, place } = elapsed;
  const wanted =
    exactlyMs !== null && elapsedMs !== exactlyMs
      ? `${exactlyMs} ms`
      : atLeastMs !== null && elapsedMs < atLeastMs
        ? `at least ${atLeastMs} ms`
        : atMostMs !== null && elapsedMs > atMostMs
          ? `at most ${atMostMs} ms`
          : null;
  return wanted === null
    ? []
    : [miss(place, `It should take ${wanted} of virtual time and took ${elapsedMs} ms.`)];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
