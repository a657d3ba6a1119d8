import { remembering } from '../../common/engine/model/remember.js';

/** A `Content-Type` value (RFC 9110, 8.3): the type in lower case and its parameters. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const typePattern = new RegExp(`^(${token}/${token})[ \\t]*(?=;|$)`);
const parameterPattern = new RegExp(
  `^;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*(?=;|$)`,
);
const noParameters: ReadonlyMap<string, string> = new Map();

/** Null where the text is no media type. Of a parameter given twice the first counts. */
export function parseMediaType(text: string): MediaType | null {
  return known(text).media;
}

/** Clients and workflows name a handful of types again and again. */
const known = remembering((text) => ({ media: parse(text) }));

function parse(text: string): MediaType | null {
  const head = typePattern.exec(text.trim());
  if (!head) return null;
  const type = (head[1] ?? '').toLowerCase();
  let rest = text.trim().slice(head[0].length);
  if (rest === '') return { type, parameters: noParameters };
  const parameters = new Map<string, string>();
  while (rest !== '') {
    const found = parameterPattern.exec(rest);
    if (!found) return null;
    const name = found[1]?.toLowerCase();
    const value = found[2] ?? found[3]?.replace(/\\(.)/g, '$1') ?? '';
    if (name !== undefined && !parameters.has(name)) parameters.set(name, value);
    rest = rest.slice(found[0].length);
  }
  return { type, parameters };
}

export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

/** Types that are text although their name does not say so. */
export function isText(type: string): boolean {
  return (
    type.startsWith('text/') ||
    type.endsWith('+xml') ||
    type.endsWith('+yaml') ||
    /^application\/(xml|yaml|x-yaml|x-ndjson|ndjson|jsonl|csv|javascript|graphql|dw|toml)$/.test(type)
  );
}

/** Whether one of the patterns (`application/json`, `text/*`, or all) covers the type. */
export function covers(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    if (wanted === '*/*' || wanted === '*') return true;
    return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
  });
}
