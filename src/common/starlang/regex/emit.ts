import type { Pattern } from './ast.js';
import type { Ranges } from './char-set.js';

/** The pattern as JavaScript (`u` mode) and RE2 both read it. */
export function emit(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'set':
      return emitSet(pattern.ranges, pattern.properties, pattern.negated);
    case 'anchor':
    case 'reference':
      return pattern.text;
    case 'group':
      return `(${pattern.capture ? (pattern.name ? `?<${pattern.name}>` : '') : '?:'}${emit(pattern.body)})`;
    case 'look':
      return `(?${pattern.sign}${emit(pattern.body)})`;
    case 'sequence':
      return pattern.items
        .map((item) => (item.kind === 'choice' ? `(?:${emit(item)})` : emit(item)))
        .join('');
    case 'choice':
      return pattern.items.map(emit).join('|');
    case 'repeat': {
      const { body, min, max, lazy } = pattern;
      const atom = body.kind === 'set' || body.kind === 'group' ? emit(body) : `(?:${emit(body)})`;
      const infinite = max === Number.POSITIVE_INFINITY;
      const sign =
        min === 0 && infinite
          ? '*'
          : min === 1 && infinite
            ? '+'
            : min === 0 && max === 1
              ? '?'
              : `{${min}${max === min ? '' : `,${infinite ? '' : max}`}}`;
      return atom + sign + (lazy ? '?' : '');
    }
  }
}

function emitSet(ranges: Ranges, properties: string[], negated: boolean): string {
  const only = ranges[0];
  if (!negated && properties.length === 0 && ranges.length === 1 && only && only[0] === only[1])
    return code(only[0]);
  if (!negated && properties.length === 0 && ranges.length === 0) return `[^${code(0)}-${code(0x10ffff)}]`;
  const inside = ranges
    .map(([low, high]) => (low === high ? code(low) : `${code(low)}-${code(high)}`))
    .join('');
  return `[${negated ? '^' : ''}${inside}${properties.join('')}]`;
}

function code(point: number): string {
  if (
    (point >= 48 && point <= 57) ||
    (point >= 65 && point <= 90) ||
    (point >= 97 && point <= 122) ||
    point === 95 ||
    point === 32
  )
    return String.fromCharCode(point);
  return MARK + point.toString(16) + MARK_END;
}

/** Both engines write code points differently: replaced by `forNative` and `forLinear`. */
const MARK = '\uE000';
const MARK_END = '\uE001';
const MARKED = /\uE000([0-9a-f]+)\uE001/g;

export const forNative = (text: string) => text.replace(MARKED, '\\u{$1}');
export const forLinear = (text: string) =>
  text.replace(MARKED, '\\x{$1}').replaceAll('(?<', '(?P<').replaceAll('(?:)', '');
