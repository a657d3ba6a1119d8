import { expect, test } from 'vitest';
import { UriTemplate } from './uri-template.js';

test('a template takes what its names stand for, decoded, and nothing across a slash', () => {
  const template = new UriTemplate('notes://{day}/{kind}.md');
  expect(template.match('notes://2026-05-01/shift%20log.md')).toEqual({
    day: '2026-05-01',
    kind: 'shift log',
  });
  expect(template.match('notes://a/b/c.md')).toBeNull();
  expect(template.match('notes:///x.md')).toBeNull();
  expect(template.match('notes://a/b.md?x=1')).toBeNull();
  expect(template.match('other://a/b.md')).toBeNull();
  expect(new UriTemplate('x://{__proto__}').match('x://a')).toEqual(Object.fromEntries([['__proto__', 'a']]));
});

test('half an escape stays as it is', () => {
  expect(new UriTemplate('x://{a}').match('x://%E0%A4')).toEqual({ a: '%E0%A4' });
});

test.each(['plain://x', 'x://{a}{b}', 'x://{a}/{a}', 'x://{a b}', 'x://{a', '{a}'])('%s is none', (text) => {
  expect(() => new UriTemplate(text)).toThrow('template');
});
