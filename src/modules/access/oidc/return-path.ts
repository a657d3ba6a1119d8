const here = 'https://here.invalid';

/**
 * The path of this site to which a text leads; null for whatever a browser could read as another site's address
 * (`//host`, `/\host`, `https:host`, with tabs or line breaks in between) or is no path at all.
 */
export function returnPath(text: string): string | null {
  if (!text.startsWith('/') || text.length > 1_000 || /[\\\p{Cc}\p{Cs}]/u.test(text)) return null;
  if (!URL.canParse(text, here)) return null;
  const { origin, pathname, search, hash } = new URL(text, here);
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : null;
}
