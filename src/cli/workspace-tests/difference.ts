import { isRecord } from '../../common/engine/model/is-record.js';

/** Lines that both have are shown around a change, so many of them. */
const CONTEXT = 2;
/** A longer text is not compared line by line. */
const MOST_LINES = 2000;

/**
 * Two JSON values as the lines in which they differ: `- ` was expected, `+ ` was found, others stand in both. Keys come
 * in the order of the expectation.
 */
export function difference(expected: unknown, found: unknown): readonly string[] {
  const before = linesOf(expected);
  const after = linesOf(inOrderOf(expected, found));
  if (before.length > MOST_LINES || after.length > MOST_LINES)
    return [`- (${before.length} lines)`, `+ (${after.length} lines)`];
  return shorten(changes(before, after));
}

function linesOf(value: unknown): readonly string[] {
  const text = typeof value === 'string' && value.includes('\n') ? value : JSON.stringify(value, null, 2);
  return (text ?? 'null').split('\n');
}

/** The same value, its keys in the order of the model and further ones after them. */
function inOrderOf(model: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const models = Array.isArray(model) ? (model as readonly unknown[]) : [];
    return value.map((item: unknown, at) => inOrderOf(models[at], item));
  }
  if (!isRecord(value)) return value;
  const known = isRecord(model) ? model : {};
  const keys = [
    ...Object.keys(known).filter((key) => Object.hasOwn(value, key)),
    ...Object.keys(value).filter((key) => !Object.hasOwn(known, key)),
  ];
  return Object.fromEntries(keys.map((key) => [key, inOrderOf(known[key], value[key])]));
}

/** The shortest way from one list of lines to the other (longest common subsequence). */
function changes(before: readonly string[], after: readonly string[]): readonly string[] {
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const best = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      (common[i] as Uint16Array)[j] = best;
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(`  ${before[i]}`);
      i++;
      j++;
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${before[i++]}`);
    } else lines.push(`+ ${after[j++]}`);
  }
  return lines;
}

/** Without the long stretches that are the same. */
function shorten(lines: readonly string[]): readonly string[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(at - CONTEXT, 0), at + CONTEXT + 1).some((line) => !line.startsWith('  ')),
  );
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line];
    return at === 0 || isNear[at - 1] ? ['  …'] : [];
  });
}
