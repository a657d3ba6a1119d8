import type { Metrics } from '../../common/platform/metrics/metrics.js';

/** The process as Prometheus' client libraries name it, so that common dashboards fit. */
export function addProcessMetrics(metrics: Metrics): void {
  const started = Math.round(Date.now() / 1_000 - process.uptime());
  metrics.gauge(
    'process_start_time_seconds',
    'Start of the process, seconds since the epoch.',
    () => started,
  );
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  metrics.gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  metrics.gauge('process_cpu_seconds_total', 'CPU time, user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
}
