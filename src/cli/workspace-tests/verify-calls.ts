import type { CallExpectation, Expectations } from '../../common/dsl/index.js';
import { contains, equal, plainOf, sharedPart } from './compare.js';
import { difference } from './difference.js';
import type { Call, RecordedCalls } from './recorded-calls.js';
import { miss, type Miss } from './miss.js';

export function verifyCalls({ calls }: Expectations, recorded: RecordedCalls): readonly Miss[] {
  return calls.flatMap((expected) => verifyCall(expected, recorded.to(expected.to.text)));
}

function verifyCall(expected: CallExpectation, found: readonly Call[]): readonly Miss[] {
  const { to, count, bodies, contains: parts, headers, place } = expected;
  const misses: Miss[] = [];
  // Without a word on number or content, that there was a call at all.
  const isAnyEnough = count === null && bodies === null && parts === null && headers === null;
  if (isAnyEnough && found.length === 0) misses.push(miss(place, `${to.text} was not called.`));
  if (count !== null && found.length !== count)
    misses.push(
      miss(place, `${to.text} should be called ${times(count)} and was called ${times(found.length)}.`),
    );
  const sent = found.map(({ body }) => plainOf(body));
  if (bodies && !equal(bodies.value, sent))
    misses.push(miss(bodies.place, `Other bodies were sent to ${to.text}.`, difference(bodies.value, sent)));
  if (parts && !containsEach(parts.value, sent))
    misses.push(
      miss(
        parts.place,
        `The bodies sent to ${to.text} do not contain this.`,
        difference(parts.value, sharedPart(parts.value, sent)),
      ),
    );
  if (headers) {
    const given = found.map((call) => lowerCased(call.headers));
    const wanted = (headers.value as readonly unknown[]).map(lowerCased);
    if (!contains(wanted, given))
      misses.push(
        miss(
          headers.place,
          `Other headers were sent to ${to.text}.`,
          difference(wanted, sharedPart(wanted, given)),
        ),
      );
  }
  return misses;
}

/** What an error handler sent to its dead-letter target. */
export function verifyLetters({ letters }: Expectations, recorded: RecordedCalls): readonly Miss[] {
  if (letters === null) return [];
  const found = recorded.letters();
  const codes = found.map(({ headers }) => headers['HelixFailureCode']);
  if (found.length !== letters.list.length) {
    const wanted = letters.list.map(({ code }) => code ?? '(any)');
    return [
      miss(
        letters.place,
        `Dead letters should be ${letters.list.length} and are ${found.length}.`,
        difference(wanted, codes),
      ),
    ];
  }
  return letters.list.flatMap(({ code, contains: part, place }, nth) => {
    const letter = found[nth];
    const misses: Miss[] = [];
    if (code !== null && codes[nth] !== code)
      misses.push(miss(place, 'The dead letter has another code.', difference(code, codes[nth] ?? null)));
    const body = plainOf(letter?.body);
    if (part && !contains(part.value, body))
      misses.push(
        miss(
          part.place,
          'The dead letter does not contain this.',
          difference(part.value, sharedPart(part.value, body)),
        ),
      );
    return misses;
  });
}

function containsEach(expected: unknown, found: readonly unknown[]): boolean {
  return (
    Array.isArray(expected) &&
    expected.length === found.length &&
    expected.every((item, at) => contains(item, found[at]))
  );
}

function lowerCased(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), plainOf(value)]),
  );
}

const times = (n: number): string => (n === 1 ? 'once' : n === 0 ? 'never' : `${n} times`);
