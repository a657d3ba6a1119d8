import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with one line that a person and a script read alike: `N passed, M failed, K skipped`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++;
      // A file or suite that broke outside its tests has no failed test of its own.
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    }
    const { passed, failed, skipped, pending } = counts;
    // After the default reporter's own summary, which is written in the same turn.
    setImmediate(() =>
      process.stdout.write(`${passed} passed, ${failed} failed, ${skipped + pending} skipped\n`),
    );
  }
}
