import type { Clock } from '../../common/engine/api/ports.js';

/** setTimeout runs what lies further ahead at once. */
const LONGEST = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(ms, task) {
    const end = Date.now() + ms;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = end - Date.now();
      timer = left > LONGEST ? setTimeout(wait, LONGEST) : setTimeout(task, Math.max(left, 0));
    };
    wait();
    return () => clearTimeout(timer);
  },
};
