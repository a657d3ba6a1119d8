import type { ChildProcess } from 'node:child_process';

/** Groups that would outlive us if we ended without closing them. */
const living = new Set<number>();
let watching = false;

/** Signals a child started with `detached`, and all it has started itself. Says nothing when they are gone. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: nobody is left in the group.
  }
}

/** Kills the group when our own process ends before the child does. */
export function bindToOurLife(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') return;
  living.add(pid);
  child.once('exit', () => living.delete(pid));
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const group of living) {
      try {
        process.kill(-group, 'SIGKILL');
      } catch {
        // Already gone.
      }
    }
  });
}
