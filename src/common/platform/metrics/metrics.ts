export type Labels = Readonly<Record<string, string>>;

export interface Count {
  add(amount: number): void;
}

export interface Counter {
  add(amount: number, labels?: Labels): void;
  /** The one series of these labels, for whoever adds to it often: finding it by its labels costs more than adding. */
  of(labels: Labels): Count;
  /** Drops the series that have all of these labels. What still holds one of them counts into nothing. */
  forget(labels: Labels): void;
}

export interface Observer {
  observe(value: number): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
  /** As {@link Counter.of}. */
  of(labels: Labels): Observer;
  /** As {@link Counter.forget}. */
  forget(labels: Labels): void;
}

type Kind = 'counter' | 'gauge' | 'histogram';

interface Metric {
  readonly kind: Kind;
  readonly help: string;
  render(name: string): string[];
}

/** Seconds, from a look-up in memory to a slow upstream. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The numbers of one app, told at `/metrics` in Prometheus' text format (version 0.0.4). Asking for a name that exists
 * gives the same metric. Label values must come from short lists: a tool id may be one, a call id never.
 *
 * ```ts
 * const calls = metrics.counter('helix_tool_calls_total', 'Tool calls that ended.', ['provider', 'status']);
 * calls.add(1, { provider: 'helix', status: 'succeeded' });
 * metrics.gauge('helix_calls_running', 'Tool calls under way on this node.', () => running.size);
 * ```
 */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();

  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    return this.#once(name, 'counter', () => new CounterSeries(help, labels)) as CounterSeries;
  }

  histogram(name: string, help: string, labels: readonly string[] = []): Histogram {
    return this.#once(name, 'histogram', () => new HistogramSeries(help, labels)) as HistogramSeries;
  }

  /** `read` is called whenever the metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void {
    this.#metrics.set(name, { kind: 'gauge', help, render: (of) => [`${of} ${read()}`] });
  }

  /** Several numbers under one name, each with its labels, read whenever the metrics are asked for. */
  series(
    name: string,
    kind: 'counter' | 'gauge',
    help: string,
    labels: readonly string[],
    read: () => Iterable<readonly [Labels, number]>,
  ): void {
    const render = (of: string): string[] =>
      [...read()].map(([values, value]) => `${of}${braced(keyOf(labels, values))} ${value}`);
    this.#metrics.set(name, { kind, help, render });
  }

  render(): string {
    const lines = [...this.#metrics].flatMap(([name, metric]) => [
      `# HELP ${name} ${metric.help}`,
      `# TYPE ${name} ${metric.kind}`,
      ...metric.render(name),
    ]);
    return `${lines.join('\n')}\n`;
  }

  #once(name: string, kind: Kind, make: () => Metric): Metric {
    const known = this.#metrics.get(name);
    if (known?.kind === kind) return known;
    if (known)
      throw new Error(`The metric ${name} is a ${known.kind} already; give the ${kind} another name.`);
    const made = make();
    this.#metrics.set(name, made);
    return made;
  }
}

class CountCell implements Count {
  value = 0;

  add(amount: number): void {
    this.value += amount;
  }
}

class CounterSeries implements Counter, Metric {
  readonly kind = 'counter';
  readonly #cells = new Map<string, CountCell>();

  constructor(
    readonly help: string,
    private readonly labels: readonly string[],
  ) {}

  add(amount: number, labels: Labels = {}): void {
    this.of(labels).add(amount);
  }

  of(labels: Labels): Count {
    return cellOf(this.#cells, keyOf(this.labels, labels), () => new CountCell());
  }

  forget(labels: Labels): void {
    forgetCells(this.#cells, labels);
  }

  render(name: string): string[] {
    return [...this.#cells].map(([key, { value }]) => `${name}${braced(key)} ${value}`);
  }
}

class HistogramCell implements Observer {
  /** Of each bound those that no smaller bound holds. */
  readonly #counts = bounds.map(() => 0);
  #sum = 0;
  #count = 0;

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    if (at < bounds.length) this.#counts[at]! += 1;
  }

  render(name: string, key: string): string[] {
    let upTo = 0;
    return [
      ...bounds.map((bound, at) => {
        upTo += this.#counts[at] ?? 0;
        return `${name}_bucket${braced(key, `le="${bound}"`)} ${upTo}`;
      }),
      `${name}_bucket${braced(key, 'le="+Inf"')} ${this.#count}`,
      `${name}_sum${braced(key)} ${this.#sum}`,
      `${name}_count${braced(key)} ${this.#count}`,
    ];
  }
}

class HistogramSeries implements Histogram, Metric {
  readonly kind = 'histogram';
  readonly #cells = new Map<string, HistogramCell>();

  constructor(
    readonly help: string,
    private readonly labels: readonly string[],
  ) {}

  observe(value: number, labels: Labels = {}): void {
    this.of(labels).observe(value);
  }

  of(labels: Labels): Observer {
    return cellOf(this.#cells, keyOf(this.labels, labels), () => new HistogramCell());
  }

  forget(labels: Labels): void {
    forgetCells(this.#cells, labels);
  }

  render(name: string): string[] {
    return [...this.#cells].flatMap(([key, cell]) => cell.render(name, key));
  }
}

function cellOf<T>(cells: Map<string, T>, key: string, make: () => T): T {
  let cell = cells.get(key);
  if (cell === undefined) cells.set(key, (cell = make()));
  return cell;
}

function forgetCells(cells: Map<string, unknown>, labels: Labels): void {
  // Quotes within a value are escaped, so that none of it can look like a label.
  const parts = Object.keys(labels).map((name) => `,${keyOf([name], labels)},`);
  for (const key of cells.keys()) if (parts.every((part) => `,${key},`.includes(part))) cells.delete(key);
}

function keyOf(names: readonly string[], labels: Labels): string {
  return names.map((name) => `${name}="${escapeLabel(labels[name] ?? '')}"`).join(',');
}

function braced(...parts: string[]): string {
  const inner = parts.filter((part) => part !== '').join(',');
  return inner === '' ? '' : `{${inner}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
