/** Texts longer than this are not kept: an outside party chooses them. */
const LONGEST = 256;

/**
 * The function with a memory of its last results by text, for what is asked again and again (an address, a content type).
 * The memory is bounded in number and length, since texts may come from outside.
 * @param compute always gives the same for the same text, and nothing that anybody changes
 */
export function remembering<T>(compute: (text: string) => T, capacity = 500): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    if (text.length > LONGEST) return result;
    // All at once: whoever sends ever new texts pays, and nobody keeps books for the usual ones.
    if (known.size >= capacity) known.clear();
    known.set(text, result);
    return result;
  };
}
