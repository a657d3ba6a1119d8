import { describe, expect, it } from 'vitest';
import { HelixError } from '../errors/helix-error.js';
import { EndpointUri } from './endpoint-uri.js';
import { Exchange } from './exchange.js';
import { isReservedHeader, MessageHeaders } from './message-headers.js';

const original = (): Exchange => {
  const exchange = new Exchange({
    id: 'x',
    body: { order: { lines: [1, 2] } },
    headers: { Meta: { tags: ['a'] } },
  });
  exchange.properties.set('kept', { n: 1 });
  exchange.args = { n: 1 };
  return exchange;
};

describe('a copy for another branch', () => {
  it('shows no change of a nested field of the body, in either direction', () => {
    const one = original();
    const [a, b] = [one.copy('a'), one.copy('b')];
    (a.body as { order: { lines: number[] } }).order.lines.push(3);
    expect(one.body).toEqual({ order: { lines: [1, 2] } });
    expect(b.body).toEqual({ order: { lines: [1, 2] } });
  });

  it('shares no header map: setting, removing and changing case stay on their side', () => {
    const one = original();
    const twin = one.copy('a');
    twin.headers.set('X', 1);
    one.headers.set('Y', 2);
    twin.headers.delete('meta');
    expect(Object.keys(one.headers.toObject())).toEqual(['Meta', 'Y']);
    expect(Object.keys(twin.headers.toObject())).toEqual(['X']);
  });

  it('shares no mutable header value, property or argument', () => {
    const one = original();
    const twin = one.copy('a');
    (twin.headers.get('Meta') as { tags: string[] }).tags.push('b');
    (twin.properties.get('kept') as { n: number }).n = 2;
    (twin.args as { n: number }).n = 2;
    expect(one.headers.get('meta')).toEqual({ tags: ['a'] });
    expect(one.properties.get('kept')).toEqual({ n: 1 });
    expect(one.args).toEqual({ n: 1 });
  });

  it('belongs to the same journey', () => {
    const one = new Exchange({ id: 'x', correlationId: 'from-outside' });
    expect(one.copy('a')).toMatchObject({ id: 'a', correlationId: 'from-outside', caller: one.caller });
  });

  it('refuses what cannot be copied instead of sharing it', () => {
    const one = new Exchange({ id: 'x', body: { socket: new AbortController() } });
    expect(() => one.copy('a')).toThrow(/AbortController cannot be handed to another branch/);
  });
});

describe('a failure', () => {
  it('stays the first, and keeps where it arose when it is thrown on', () => {
    const exchange = new Exchange({ id: 'x' });
    exchange.workflowId = 'inner';
    exchange.stepId = 'deep';
    const first = new HelixError('ENGINE.THROWN', 'first');
    exchange.fail(first);
    exchange.fail(new Error('second'));
    expect(exchange.takeFailure()).toBe(first);
    expect(exchange.isFailed()).toBe(false);
    exchange.workflowId = 'outer';
    exchange.fail(first);
    expect(exchange.failedAt).toEqual({ workflowId: 'inner', stepId: 'deep' });
  });
});

describe('the property helix.session.state', () => {
  it('is what the session keeps, where there is one', () => {
    const session = { id: 's', state: { count: 1 } };
    const exchange = new Exchange({ id: 'x', session });
    expect(exchange.property('helix.session.state')).toEqual({ count: 1 });
    exchange.setProperty('helix.session.state', { count: 2 });
    expect(session.state).toEqual({ count: 2 });
    expect(() => exchange.setProperty('helix.session.state', 5)).toThrow(/must be an object/);
  });
});

describe('headers', () => {
  it('compare without case and keep the case they were first set with', () => {
    const headers = new MessageHeaders({ 'Content-Type': 'a' });
    headers.set('content-TYPE', 'b');
    expect(headers.get('CONTENT-type')).toBe('b');
    expect([...headers.entries()]).toEqual([['Content-Type', 'b']]);
  });

  it.each([['HelixToolID'], ['helix'], ['HELIX-X']])('%s is reserved', (name) => {
    expect(isReservedHeader(name)).toBe(true);
  });

  it.each([['X-Helix'], ['Heli'], ['']])('%s is not reserved', (name) => {
    expect(isReservedHeader(name)).toBe(false);
  });
});

const identity = (text: string, parameters?: Record<string, unknown>): string =>
  EndpointUri.parse(text, parameters).identity;

describe('the identity of an endpoint', () => {
  it('does not depend on the order of options nor on where they are written', () => {
    expect(identity('a://x?b=1&c=2')).toBe(identity('a://x?c=2&b=1'));
    expect(identity('a://x?b=1')).toBe(identity('a://x', { b: 1 }));
    expect(identity('A://x?t=12:30')).toBe(identity('a://x', { t: '12:30' }));
  });

  it('differs where a value differs, however it is nested', () => {
    expect(identity('a://x?b=1')).not.toBe(identity('a://x?b=2'));
    expect(identity('a://x', { b: { c: 1 } })).not.toBe(identity('a://x', { b: { c: 2 } }));
    expect(identity('a://x?b=1%26c')).not.toBe(identity('a://x?b=1&c'));
  });

  it('shows no secret when it is printed', () => {
    const uri = EndpointUri.parse('a://x?pass=1&api_key=k', { mode: 'm' }, new Set(['pass']));
    expect(uri.toString()).toBe('a://x?pass=***&api_key=***&mode=m');
  });
});
