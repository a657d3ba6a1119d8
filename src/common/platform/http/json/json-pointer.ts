/** A JSON Pointer (RFC 6901) from member names and array indexes; `''` is the whole document. */
export function pointerTo(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
