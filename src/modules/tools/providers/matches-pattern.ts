/** Whether one of the patterns fits, where `*` stands for any letters. */
export function matchesPattern(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^]*')}$`).test(text);
  });
}
