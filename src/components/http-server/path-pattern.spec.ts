import { describe, expect, it } from 'vitest';
import { matchPattern, parsePattern, splitPath } from './path-pattern.js';
import { RouteTable } from './route-table.js';

const match = (pattern: string, path: string, prefix = false): unknown => {
  const segments = splitPath(path);
  return segments && matchPattern(parsePattern(pattern, prefix), segments);
};

describe('a path pattern', () => {
  it.each([
    ['/', '/', {}],
    ['/orders/{id}', '/orders/7', { id: '7' }],
    ['/orders/{id}/', '/orders/7', { id: '7' }],
    ['/orders/{id}', '/orders/7/', { id: '7' }],
    ['/orders/{id}', '/orders/a%2Fb%20c', { id: 'a/b c' }],
    ['/caf%C3%A9', '/caf%c3%a9', {}],
    ['/{a}/x/{b}', '/1/x/2', { a: '1', b: '2' }],
    ['/{__proto__}', '/x', Object.fromEntries([['__proto__', 'x']])],
  ])('%s covers %s', (pattern, path, params) => {
    expect(match(pattern, path)).toEqual(params);
  });

  it.each([
    ['/orders/{id}', '/orders'],
    ['/orders/{id}', '/orders/'],
    ['/orders/{id}', '/orders//'],
    ['/orders/{id}', '/orders/7/8'],
    ['/orders', '/Orders'],
    ['/a/b', '/a/../a/b'],
    ['/orders', '/orders/%zz'],
  ])('%s does not cover %s', (pattern, path) => {
    expect(match(pattern, path)).toBeNull();
  });

  it('gives a prefix the rest of the path', () => {
    expect(match('/files/{owner}', '/files/ann/a/b.txt', true)).toEqual({ owner: 'ann', rest: 'a/b.txt' });
    expect(match('/files', '/files', true)).toEqual({ rest: '' });
    expect(match('/files', '/filesystem', true)).toBeNull();
  });

  it.each(['/a{id}', '/{}', '/{id}/{id}', '/{helixId}', '/{a b}'])('refuses %s', (pattern) => {
    expect(() => parsePattern(pattern, false)).toThrow(/cannot be served/);
  });
});

describe('the routes of a listener', () => {
  const table = new RouteTable<{
    name: string;
    pattern: ReturnType<typeof parsePattern>;
    methods: string[];
  }>();
  const add = (name: string, text: string, methods: string[], prefix = false): void =>
    table.add({ name, pattern: parsePattern(text, prefix), methods });
  add('prefix', '/', ['GET', 'POST'], true);
  add('longer prefix', '/orders', ['DELETE'], true);
  add('template', '/orders/{id}', ['GET', 'PUT']);
  add('exact', '/orders/new', ['POST']);
  const found = (path: string, method: string): string | undefined => {
    const hit = table.find(splitPath(path) ?? [], method);
    return hit && !hit.allow ? hit.route.name : undefined;
  };

  it('prefers exact to template to prefix, and looks further for the method', () => {
    expect(found('/orders/new', 'POST')).toBe('exact');
    expect(found('/orders/new', 'GET')).toBe('template');
    expect(found('/orders/7', 'HEAD')).toBe('template');
    expect(found('/orders/7', 'DELETE')).toBe('longer prefix');
    expect(found('/elsewhere', 'GET')).toBe('prefix');
  });

  it('says what is allowed where the method is not', () => {
    expect(table.find(['orders', 'new'], 'PATCH')?.allow).toEqual(
      expect.arrayContaining(['POST', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']),
    );
  });

  it('knows a rival whatever its parameters are called', () => {
    const pattern = parsePattern('/orders/{other}', false);
    expect(table.rivals({ pattern, methods: ['PUT'] })).toMatchObject([{ name: 'template' }]);
    expect(table.rivals({ pattern, methods: ['POST'] })).toEqual([]);
  });
});
