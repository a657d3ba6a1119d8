/** One way of doing the same work. `measure` answers what one operation cost, the smaller the better. */
export interface Contestant {
  readonly name: string;
  measure(): number | Promise<number>;
}

export interface Result {
  readonly name: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

interface RaceOptions {
  readonly rounds: number;
  /** What `measure` answers, e.g. `ns CPU per step`. */
  readonly unit: string;
}

/**
 * Measures all contestants in turns, every second round in reverse order, so that what else the machine does falls on all
 * of them alike; a first round warms up and does not count. Prints medians and their ratio to the first contestant.
 */
export async function race(
  title: string,
  contestants: readonly Contestant[],
  { rounds, unit }: RaceOptions,
): Promise<readonly Result[]> {
  const figures = contestants.map(({ name }) => ({ name, all: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    const order = [...contestants.entries()];
    if (round % 2 === 1) order.reverse();
    for (const [at, contestant] of order) {
      const figure = await contestant.measure();
      if (round > 0) figures[at]?.all.push(figure);
    }
  }
  const results = figures.map(({ name, all }) => ({ name, ...spread(all) }));
  print(`${title} (${unit}; ${rounds} rounds, median, least to most)`, results);
  return results;
}

export function spread(all: readonly number[]): Omit<Result, 'name'> {
  const sorted = all.toSorted((a, b) => a - b);
  return {
    median: sorted[sorted.length >> 1] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}

function print(title: string, results: readonly Result[]): void {
  const floor = results[0]?.median ?? 1;
  const lines = results.map(({ name, median, least, most }) =>
    [
      name.padEnd(44),
      shown(median).padStart(9),
      `${(median / floor).toFixed(2)} ×`.padStart(9),
      `${shown(least)} – ${shown(most)}`.padStart(20),
    ].join(' '),
  );
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}

function shown(figure: number): string {
  return figure < 100 ? figure.toFixed(2) : figure.toFixed(0);
}

/** Microseconds of processor time of this process, user and system, since `from`. */
export function cpuSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

/** A benchmark that would not notice a wrong outcome measures nothing: this run must end in a failure. */
export async function mustFail(what: string, run: () => unknown): Promise<void> {
  try {
    await run();
  } catch {
    return;
  }
  throw new Error(`The control "${what}" did not fail: the benchmark does not notice wrong outcomes.`);
}
