/** What bytes look like where nothing is done about them; a text without any of these holds none. */
const mayHoldBytes = /\{"type":"Buffer"|\{"0":|\{\}/;

export interface JsonText {
  /** As of `JSON.stringify`: undefined for what JSON has no form for. */
  readonly text: string | undefined;
  readonly hasBytes: boolean;
}

/**
 * A value as JSON, bytes in it as base64 (RFC 4648, section 4). A replacer makes writing several times slower, so it
 * runs only where the first text may hold bytes.
 * @throws TypeError for a value that contains itself, and for big integers
 */
export function jsonText(value: unknown): JsonText {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || !mayHoldBytes.test(text)) return { text, hasBytes: false };
  let hasBytes = false;
  // A Buffer comes to the replacer as what its toJSON gave, so the holder is asked.
  const written = JSON.stringify(value, function (this: Record<string, unknown>, key, given: unknown) {
    const raw = this[key];
    if (!(raw instanceof Uint8Array)) return given;
    hasBytes = true;
    return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64');
  });
  return { text: written, hasBytes };
}
