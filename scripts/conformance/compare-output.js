/** How an output differs from what a case expects, by the case's own rule; undefined when it does not. */
export function compareOutput({ expected, compare }, actual) {
  if (compare.startsWith('json')) return compareJson(expected.content, actual, /unordered/.test(compare));
  if (/xml/.test(compare)) return compareXml(expected.content, actual);
  return compareText(expected.content, actual);
}

function withoutEdges(text) {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function compareText(expected, actual) {
  return withoutEdges(expected) === withoutEdges(actual)
    ? undefined
    : `expected:\n${expected}\nactual:\n${actual}`;
}

function compareJson(expectedText, actualText, unordered) {
  let expected;
  let actual;
  try {
    expected = readOrdered(expectedText);
    actual = readOrdered(actualText);
  } catch (error) {
    if (expectedText.trim() === actualText.trim()) return undefined;
    return `${error.message}\nexpected:\n${expectedText}\nactual:\n${actualText}`;
  }
  if (same(expected, actual, false) || (unordered && same(expected, actual, true))) return undefined;
  return `expected:\n${expectedText.trim()}\nactual:\n${actualText}`;
}

/** JSON as a tree that keeps order and duplicates: objects are {pairs: [[key, value]]}. */
function readOrdered(text) {
  let at = 0;
  const fail = () => {
    throw new Error(`no JSON at character ${at}`);
  };
  const blanks = () => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const token = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) fail();
    at += found[0].length;
    return found[0];
  };
  const value = () => {
    blanks();
    const c = text[at];
    if (c === '{') {
      at++;
      const pairs = [];
      for (blanks(); text[at] !== '}'; blanks()) {
        const key = JSON.parse(token(/"(?:[^"\\]|\\.)*"/sy).replaceAll('\n', '\\n'));
        blanks();
        if (text[at] !== ':') fail();
        at++;
        pairs.push([key, value()]);
        blanks();
        if (text[at] === ',') at++;
        else if (text[at] !== '}') fail();
      }
      at++;
      return { pairs };
    }
    if (c === '[') {
      at++;
      const items = [];
      for (blanks(); text[at] !== ']'; blanks()) {
        items.push(value());
        blanks();
        if (text[at] === ',') at++;
        else if (text[at] !== ']') fail();
      }
      at++;
      return items;
    }
    if (c === '"')
      return JSON.parse(
        token(/"(?:[^"\\]|\\.)*"/sy)
          .replaceAll('\n', '\\n')
          .replaceAll('\t', '\\t'),
      );
    return JSON.parse(token(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y));
  };
  const root = value();
  blanks();
  if (at < text.length) fail();
  return root;
}

function same(a, b, unordered) {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i], unordered));
  if (!a.pairs || !b.pairs || a.pairs.length !== b.pairs.length) return false;
  if (!unordered)
    return a.pairs.every(([key, value], i) => key === b.pairs[i][0] && same(value, b.pairs[i][1], false));
  const left = [...b.pairs];
  return a.pairs.every(([key, value]) => {
    const index = left.findIndex(([other, otherValue]) => other === key && same(value, otherValue, true));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** Elements, attributes (in any order) and texts; blanks between elements, declaration and comments do not count. */
const infoset = (text) =>
  text
    .replace(/<\?xml[^>]*\?>/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inner) =>
      inner.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
    )
    .replace(
      /<([^\s/>]+)((?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g,
      (_, name, attributes, empty) => {
        const list = [...attributes.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
        const sorted = list.map(([, key, double, single]) => ` ${key}="${double ?? single}"`).sort();
        return `<${name}${sorted.join('')}>${empty ? `</${name}>` : ''}`;
      },
    )
    .replace(/>\s+/g, '>')
    .replace(/\s+</g, '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .trim();

function compareXml(expected, actual) {
  return infoset(expected) === infoset(actual) ? undefined : `expected:\n${expected}\nactual:\n${actual}`;
}
