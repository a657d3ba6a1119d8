/** The scheme of a URI in lower case; `''` where there is none. */
export function schemeOf(uri: string): string {
  return /^\s*([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? '';
}

/** `direct://name` or `tool://id` in one spelling, without options; null for any other scheme. */
export function addressOf(uri: string): string | null {
  const match = /^\s*(direct|tool):(?:\/\/)?([^?]*)/i.exec(uri);
  return match ? `${match[1]?.toLowerCase()}://${match[2]?.trim()}` : null;
}
