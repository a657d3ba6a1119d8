const SLICE_MS = 4;
/** Looking at the clock costs more than a cheap step: it is done at every fourth. */
const EVERY = 4;

let checks = 0;
let sliceStart = -1;

/**
 * True when synchronous work has kept the event loop out for some milliseconds and should let it in. There is one event
 * loop, so there is one count over all exchanges: many short ones block it as surely as a long one.
 */
export function breathIsDue(): boolean {
  if (++checks < EVERY) return false;
  checks = 0;
  const now = performance.now();
  if (sliceStart >= 0) return now - sliceStart >= SLICE_MS;
  sliceStart = now;
  setImmediate(() => {
    sliceStart = -1;
  });
  return false;
}

/** Lets the event loop in once. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
