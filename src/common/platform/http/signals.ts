import type { HelixApp } from './create-app.js';

/**
 * SIGTERM and SIGINT drain the app and exit 0; a second one exits at once, with the code shells give a signal.
 * A first one during the start is no affair of this function: nothing has been promised yet, the default ends it.
 */
export function closeOnSignals(app: HelixApp): void {
  const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
  let isClosing = false;
  for (const [signal, number] of Object.entries(numbers)) {
    process.on(signal, () => {
      if (isClosing) process.exit(128 + number);
      isClosing = true;
      app.log.write('info', 'Stopping: finishing what is under way. The same signal again stops at once.');
      app.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(
            `The stop was not clean: ${error instanceof Error ? error.message : String(error)}\n`,
          );
          process.exit(1);
        },
      );
    });
  }
}
