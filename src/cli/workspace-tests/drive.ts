import type { TestDefinition, TestMessage } from '../../common/dsl/index.js';
import { isolate } from '../../common/engine/model/isolate.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { driveHttp } from './drive-http.js';
import { failureOf, type Outcome } from './outcome.js';
import type { Stage } from './stage.js';

/** The workflow under test, as the engine knows it. */
export interface Subject {
  readonly id: string;
  readonly trigger: EndpointUri;
  readonly hasInputSchema: boolean;
}

/**
 * Sends the messages of a test one after the other and lets the rest run out.
 * @returns what came of the last
 */
export async function drive(test: TestDefinition, subject: Subject, stage: Stage): Promise<Outcome> {
  const { clock, engine } = stage;
  const begun = clock.now();
  let outcome: Omit<Outcome, 'elapsedMs'> = {
    status: null,
    body: null,
    headers: {},
    failure: null,
    properties: {},
  };
  for (const message of test.messages) {
    if (message.afterMs > 0) await clock.pass(message.afterMs);
    outcome = await clock.until(send(message, subject, stage));
  }
  let elapsedMs = clock.now() - begun;
  if (test.runForMs !== null) {
    await clock.pass(test.runForMs);
    if (test.messages.length === 0) {
      elapsedMs = clock.now() - begun;
      const first = stage.exchanges.get(subject.id);
      if (first) outcome = outcomeOf(first);
    }
  } else await clock.settle(() => engine.inFlight().length === 0);
  return { ...outcome, elapsedMs };
}

function send(message: TestMessage, subject: Subject, stage: Stage): Promise<Omit<Outcome, 'elapsedMs'>> {
  return subject.trigger.scheme === 'http-server'
    ? driveHttp(message, subject, stage)
    : driveExchange(message, subject, stage);
}

/** As the trigger would hand it over: an Exchange with body, headers and attributes, input checked by the trigger. */
async function driveExchange(
  message: TestMessage,
  { id }: Subject,
  { engine }: Stage,
): Promise<Omit<Outcome, 'elapsedMs'>> {
  const { pattern, body, headers } = message;
  const exchange = engine.exchange(id, {
    pattern,
    body: isolate(body ?? null),
    headers: isolate(headers),
  });
  const attributes = attributesOf(message);
  if (attributes) exchange.properties.set('attributes', attributes);
  await engine.run(id, exchange);
  return outcomeOf(exchange);
}

/** What a workflow reads as `attributes`, where the test says something of it. */
function attributesOf({ method, path, query, headers }: TestMessage): Record<string, unknown> | null {
  if (method === null && path === null && Object.keys(query).length === 0) return null;
  return {
    method,
    requestPath: typeof path === 'string' ? path : null,
    queryParams: isolate(query),
    uriParams: typeof path === 'string' ? {} : isolate(path ?? {}),
    headers: isolate(headers),
  };
}

function outcomeOf(exchange: Exchange): Omit<Outcome, 'elapsedMs'> {
  const { body, headers, properties } = exchange;
  return {
    status: null,
    body,
    headers: Object.fromEntries([...headers.entries()].map(([name, value]) => [name.toLowerCase(), value])),
    failure: failureOf(exchange),
    properties: Object.fromEntries(properties),
  };
}
