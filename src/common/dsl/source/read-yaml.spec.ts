import { describe, expect, it } from 'vitest';
import {
  entry,
  plain,
  type MapNode,
  type ScalarNode,
  type SourceNode,
} from '../../engine/model/source-node.js';
import { Problems } from '../problems.js';
import { readYaml } from './read-yaml.js';
import { SourceFile } from './source-file.js';
import type { TextKind, Variables } from './substitute.js';

const kind = (key: string, inherited: TextKind | 'data'): TextKind | 'data' =>
  key === 'uri' ? 'uri' : key === 'script' ? 'script' : inherited;

const deep = (inner: string): string => '['.repeat(90) + inner + ']'.repeat(90);

function read(text: string, variables: Variables = {}) {
  const problems = new Problems();
  const file = new SourceFile('a.yaml', text);
  const node = readYaml(file, variables, kind, problems);
  return {
    file,
    node,
    value: node && plain(node),
    problems: problems.list().map((p) => `${p.place.line}:${p.place.column} ${p.rule} ${p.message}`),
  };
}

const child = (node: SourceNode | null, key: string) => entry(node as MapNode, key) as ScalarNode;

describe('readYaml', () => {
  it('reads the core schema of YAML 1.2', () => {
    expect(read('a: yes\nb: 012\nc: 0x10\nd: ~\ne:\nf: true\ng: "1"').value).toEqual({
      a: 'yes',
      b: 12,
      c: 16,
      d: null,
      e: null,
      f: true,
      g: '1',
    });
  });

  it('refuses a duplicate key and names the first line', () => {
    expect(read('a: 1\nb: 2\na: 3').problems).toEqual([
      '3:1 duplicate-key The key "a" stands twice in this map, first in line 1: keep one.',
    ]);
  });

  it('follows anchors, aliases and merge keys', () => {
    const { value, problems } = read('base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\nlist: [*b]');
    expect(problems).toEqual([]);
    expect(value).toEqual({ base: { x: 1, y: 2 }, use: { x: 1, y: 3 }, list: [{ x: 1, y: 2 }] });
  });

  it('bounds what aliases expand to', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(',')}]`,
    );
    const { problems } = read(`l0: &l0 [x]\n${levels.join('\n')}`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('yaml-too-large');
  });

  it('bounds nested merge keys', () => {
    const levels = Array.from({ length: 40 }, (_, i) => `l${i + 1}: &l${i + 1}\n  <<: [*l${i}, *l${i}]`);
    expect(read(`l0: &l0 {a: 1, b: 2}\n${levels.join('\n')}`).problems.join()).toContain('yaml-too-large');
  });

  it('bounds the depth, written out or through aliases', () => {
    expect(read('['.repeat(5000) + ']'.repeat(5000)).problems.join()).toContain('nested');
    expect(read(`a: &a ${deep('1')}\nb: &b ${deep('*a')}\nc: ${deep('*b')}`).problems.join()).toContain(
      'yaml-too-large',
    );
  });

  it('refuses an alias inside its own anchor, and one without anchor', () => {
    expect(read('a: &a [*a]').problems.join()).toContain('inside its own anchor');
    expect(read('a: *b').problems.join()).toMatch(/b/);
  });

  it('refuses tags it does not know, and a second document', () => {
    expect(read('a: !run x').problems.join()).toContain('yaml-syntax');
    expect(read('a: 1\n---\nb: 2').problems.join()).toContain('one YAML document');
  });

  it('keeps keys such as __proto__ as data', () => {
    const { value } = read('__proto__: {polluted: 1}');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('fills variables after parsing, so that no value can change the structure', () => {
    const secret = 'a: b # c\n- "d"';
    const { node, value } = read('key: ${S}\n"k${S}": x', { S: secret });
    expect(value).toEqual({ key: secret, 'k${S}': 'x' });
    expect(child(node, 'key')).toMatchObject({ secret: true, written: '${S}' });
  });

  it('takes defaults, which are no secret, and literal ${', () => {
    const { node, value } = read('a: ${A:x y}\nb: $${A}\nc: "${E:d}"\nd: ${A:}', { E: '' });
    expect(value).toEqual({ a: 'x y', b: '${A}', c: 'd', d: '' });
    expect(child(node, 'a').secret).toBe(false);
  });

  it('names the place of a missing variable inside a block', () => {
    expect(read('a:\n  text: |\n    first\n    and ${GONE} here').problems).toEqual([
      '4:9 variable The variable GONE is not set: set it, or give a default with ${GONE:default}.',
    ]);
    expect(read('a: ${constructor}').problems).toHaveLength(1);
  });

  it('says what to do about a broken reference', () => {
    expect(read('a: x ${1}').problems.join()).toContain('$${');
  });

  it('keeps a value inside its URI option and inside its script string', () => {
    const { value } = read('uri: "s://h/${P}?k=${S}&x=1"\nscript: \'"key ${Q}"\'', {
      P: 'a?b#c/d',
      S: 'a&b#c%',
      Q: 'a"$(x)\\',
    });
    expect(value).toEqual({ uri: 's://h/a%3Fb%23c/d?k=a%26b%23c%25&x=1', script: '"key a\\"\\$(x)\\\\"' });
  });

  it.each([
    ['plain', 'k: one two', 1, 5, '1:8'],
    ['double quoted', 'k: "a\\"b c"', 1, 5, '1:10'],
    ['single quoted', "k: 'a''b c'", 1, 5, '1:10'],
    ['literal block', 'k:\n  s: |\n    one\n      two three', 2, 7, '4:11'],
    ['literal block with a comment', 'k: |2  # note\n    one\n  two', 2, 1, '3:3'],
    ['folded block', 'k: >\n  one\n  two', 1, 5, '3:3'],
    ['end of a line', 'k: |\n  one\n  two', 1, 4, '2:6'],
  ])('maps a place in a %s scalar to the file', (_, text, line, column, expected) => {
    const { file, node } = read(text);
    const outer = child(node, 'k') as SourceNode;
    const scalar = outer.kind === 'map' ? child(outer, 's') : (outer as ScalarNode);
    const place = file.placeInside(scalar, line, column);
    expect(`${place.line}:${place.column}`).toBe(expected);
  });
});
