import { expect, test } from 'vitest';
import { returnPath } from './return-path.js';

test.each(['/', '/docs', '/docs?x=https://evil.example#top', '/a%2f%2fb'])('%s is a path here', (text) => {
  expect(returnPath(text)).toBe(text);
});

test.each([
  '',
  'docs',
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  '/\ud800',
])('hostile: %j leads away', (text) => {
  expect(returnPath(text)).toBeNull();
});
