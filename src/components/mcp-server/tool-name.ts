/** The longest name the MCP specification recommends. */
const longest = 128;

/** The tool's name of a workflow id: what is outside `[a-zA-Z0-9_\-.]` becomes `_`, one character for one. */
export function sanitizeToolName(id: string): string {
  const name = id.replace(/[^a-zA-Z0-9_\-.]/gu, '_').slice(0, longest);
  return name === '' ? '_' : name;
}

/** Several model vendors refuse a tool list when one name has a dot or more than 64 characters. */
export function isPortableName(name: string): boolean {
  return name.length <= 64 && !name.includes('.');
}
