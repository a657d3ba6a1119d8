interface Level {
  /** Names met so far; null in an array. */
  readonly names: Set<string> | null;
  /** The member or element that is being read. */
  at: string | number;
}

/**
 * Where a member stands twice in its object, as a JSON Pointer (RFC 6901); null where none does. A gateway before this
 * server and the workflow behind it could each read another of the two (RFC 8259, section 4).
 * @param text JSON that was parsed
 * @param value what the parser gave
 */
export function duplicateMember(text: string, value: unknown): string | null {
  // Most clients send what this writes, in which nothing stands twice; comparing is much quicker than reading again.
  return JSON.stringify(value) === text ? null : scan(text);
}

function scan(text: string): string | null {
  const levels: Level[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    const character = text[at];
    if (character === '{' || character === '[') {
      isName = character === '{';
      levels.push({ names: isName ? new Set() : null, at: 0 });
    } else if (character === '}' || character === ']') levels.pop();
    else if (character === ',' && level !== undefined) {
      isName = level.names !== null;
      if (typeof level.at === 'number') level.at++;
    } else if (character === ':') isName = false;
    else if (character === '"') {
      const end = endOfString(text, at);
      if (isName && level?.names) {
        const name = JSON.parse(text.slice(at, end)) as string;
        level.at = name;
        if (level.names.has(name)) return levels.map(({ at: part }) => `/${token(part)}`).join('');
        level.names.add(name);
      }
      at = end - 1;
    }
  }
  return null;
}

/** Place behind the closing quote of the string that begins here. */
function endOfString(text: string, begin: number): number {
  for (let quote = text.indexOf('"', begin + 1); ; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
}

const token = (part: string | number): string => String(part).replaceAll('~', '~0').replaceAll('/', '~1');
