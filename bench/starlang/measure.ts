/** Milliseconds one side may run in one round. */
const SLICE = 120;

export interface Side {
  name: string;
  /** Runs once. */
  run: () => unknown;
  /** Runs between two looks at the clock. */
  batch: number;
}

/**
 * Runs a second by the processor's time of this process, the best of several rounds in which the sides take
 * turns: other programs of the machine do not show, and every side runs in the state the others leave behind.
 */
export async function perSecond(sides: readonly Side[], rounds = 5): Promise<Map<string, number>> {
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round++)
    for (const { name, run, batch } of sides)
      best.set(name, Math.max(best.get(name) ?? 0, await slice(run, batch)));
  return best;
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Results are kept for a moment, so that no engine leaves out work nobody looks at. */
export let sink: unknown;

async function slice(run: () => unknown, batch: number): Promise<number> {
  const from = cpu();
  let runs = 0;
  let spent = 0;
  do {
    for (let i = 0; i < batch; i++) {
      const result = run();
      sink = result instanceof Promise ? await result : result;
    }
    runs += batch;
    spent = cpu() - from;
  } while (spent < SLICE);
  return (runs * 1000) / spent;
}

/** Best milliseconds of processor time of one run. */
export function millis(run: () => unknown, rounds: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const from = cpu();
    run();
    best = Math.min(best, cpu() - from);
  }
  return best;
}

export const count = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
