import { describe, expect, it } from 'vitest';
import { EndpointUri } from './endpoint-uri.js';

describe('EndpointUri', () => {
  it('is the same endpoint whatever the order, the spelling and the place of its options', () => {
    const one = EndpointUri.parse('http-server://h:80/p?a=1&b=x:y');
    for (const other of [
      EndpointUri.parse('HTTP-SERVER://h:80/p?b=x%3Ay&a=1'),
      EndpointUri.parse('http-server://h:80/p?b=x:y', { a: 1 }),
      EndpointUri.parse('http-server://h:80/p', { b: 'x:y', a: '1' }),
    ]) {
      expect(other.identity).toBe(one.identity);
    }
    expect(EndpointUri.parse('http-server://h:80/p?a=1&b=x').identity).not.toBe(one.identity);
  });

  it('keeps the options of two URIs apart whatever characters they hold', () => {
    const joined = EndpointUri.parse('s://p', { a: '1&b=2' });
    expect(joined.identity).not.toBe(EndpointUri.parse('s://p?a=1&b=2').identity);
    expect(joined.options.get('a')).toBe('1&b=2');
  });

  it('refuses an option that stands twice, and broken percent-encoding', () => {
    expect(() => EndpointUri.parse('s://p?a=1&a=2')).toThrow('stands twice');
    expect(() => EndpointUri.parse('s://p?a=1', { a: 2 })).toThrow('keep one');
    expect(() => EndpointUri.parse('s://p?a=%zz')).toThrow('%25');
  });

  it('shows neither secret options nor a path that came from a variable', () => {
    const uri = EndpointUri.parse('https://h/tok?x=sec&api_key=k&y=1', {}, new Set(['x']), 'h/${TOKEN}');
    expect(uri.toString()).toBe('https://h/${TOKEN}?x=***&api_key=***&y=1');
    expect(uri.path).toBe('h/tok');
  });
});
