/** The environment is wrong: every problem at once, each a sentence that says what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Exit code of the process that meets it (operating.md: 2 = the environment is wrong). */
  readonly exitCode = 2;

  constructor(readonly problems: readonly string[]) {
    super(
      problems.length === 1
        ? String(problems[0])
        : `The environment has ${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
