import type { HelixApp } from './create-app.js';

/**
 * SIGTERM and SIGINT drain the app and exit 0; a second one exits at once, with the code shells give a signal. Give it
 * the promise of an app to have a signal during the start obeyed as well, once what was opened can be closed.
 */
export function closeOnSignals(opening: HelixApp | Promise<HelixApp>): void {
  const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
  let isClosing = false;
  for (const [signal, number] of Object.entries(numbers)) {
    process.on(signal, () => {
      if (isClosing) process.exit(128 + number);
      isClosing = true;
      closeAndExit(opening).catch((error: unknown) => {
        process.stderr.write(
          `The stop was not clean: ${error instanceof Error ? error.message : String(error)}\n`,
        );
        process.exit(1);
      });
    });
  }
}

async function closeAndExit(opening: HelixApp | Promise<HelixApp>): Promise<never> {
  const app = await opening;
  app.log.write('info', 'Stopping: finishing what is under way. The same signal again stops at once.');
  await app.close();
  return process.exit(0);
}
