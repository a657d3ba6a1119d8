import type { Coverage } from './coverage.js';
import { coverageKinds, type CoveragePoint } from './coverage-points.js';

export interface CoverageSum {
  readonly covered: number;
  readonly total: number;
}

export interface CoverageReport {
  readonly sums: Readonly<Record<CoveragePoint['kind'], CoverageSum>>;
  /** Of all points, 0 to 100, rounded down to a tenth; 100 where there are none. */
  readonly percent: number;
  readonly missing: readonly CoveragePoint[];
}

export function coverageReport(points: readonly CoveragePoint[], coverage: Coverage): CoverageReport {
  const missing = points.filter((point) => !coverage.covers(point));
  const sum = (kind: CoveragePoint['kind']): CoverageSum => {
    const total = points.filter((point) => point.kind === kind).length;
    return { total, covered: total - missing.filter((point) => point.kind === kind).length };
  };
  const sums = Object.fromEntries(coverageKinds.map((kind) => [kind, sum(kind)])) as CoverageReport['sums'];
  const share = points.length === 0 ? 1 : (points.length - missing.length) / points.length;
  return { sums, percent: Math.floor(share * 1000) / 10, missing };
}
