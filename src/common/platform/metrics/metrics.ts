export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(amount: number, labels?: Labels): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
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

class CounterSeries implements Counter, Metric {
  readonly kind = 'counter';
  readonly #values = new Map<string, number>();

  constructor(
    readonly help: string,
    private readonly labels: readonly string[],
  ) {}

  add(amount: number, labels: Labels = {}): void {
    const key = keyOf(this.labels, labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + amount);
  }

  render(name: string): string[] {
    return [...this.#values].map(([key, value]) => `${name}${braced(key)} ${value}`);
  }
}

class HistogramSeries implements Histogram, Metric {
  readonly kind = 'histogram';
  readonly #series = new Map<string, { counts: number[]; sum: number; count: number }>();

  constructor(
    readonly help: string,
    private readonly labels: readonly string[],
  ) {}

  observe(value: number, labels: Labels = {}): void {
    const key = keyOf(this.labels, labels);
    const series = this.#series.get(key) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(key, series);
    series.sum += value;
    series.count++;
    for (const [index, bound] of bounds.entries()) if (value <= bound) series.counts[index]! += 1;
  }

  render(name: string): string[] {
    return [...this.#series].flatMap(([key, { counts, sum, count }]) => [
      ...bounds.map((bound, index) => `${name}_bucket${braced(key, `le="${bound}"`)} ${counts[index]}`),
      `${name}_bucket${braced(key, 'le="+Inf"')} ${count}`,
      `${name}_sum${braced(key)} ${sum}`,
      `${name}_count${braced(key)} ${count}`,
    ]);
  }
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
