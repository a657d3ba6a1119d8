import { defineConfig } from 'vitest/config';

/**
 * Two projects over one runner, which works two files at a time. `unit` specs stand beside their source and need nothing;
 * `story` tests under test/ run on a real PostgreSQL that test/support/global-setup.ts provides.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      { test: { name: 'unit', include: ['src/**/*.spec.ts'], environment: 'node' } },
      {
        test: {
          name: 'story',
          include: ['test/**/*.spec.ts'],
          environment: 'node',
          globalSetup: ['./test/support/global-setup.ts'],
          setupFiles: ['./test/support/leak-guard.ts', './test/support/secret-guard.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
