import { Interceptor, type StepInfo } from '../../common/engine/api/interceptor.js';
import type { Witness } from '../../common/engine/api/ports.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { Place } from '../../common/engine/model/source-node.js';
import type { CoveragePoint } from './coverage-points.js';

const keyOf = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** What of a workspace its tests ran. */
export class Coverage implements Witness {
  readonly #places = new Set<string>();
  readonly #workflows = new Set<string>();

  stepRun({ workflowId, place }: StepInfo): void {
    this.#workflows.add(workflowId);
    if (place) this.#places.add(keyOf(place));
  }

  workflowRun(id: string): void {
    this.#workflows.add(id);
  }

  clauseTaken(place: Place): void {
    this.#places.add(keyOf(place));
  }

  covers(point: CoveragePoint): boolean {
    if (point.kind === 'workflow') return this.#workflows.has(point.workflowId ?? '');
    return point.places.some((place) => this.#places.has(keyOf(place)));
  }
}

/** Stands outside all others and sees every step that begins. */
export class CoverageInterceptor extends Interceptor {
  readonly name = 'coverage';
  override readonly scope = 'step';

  constructor(private readonly seen: (exchange: Exchange, step: StepInfo) => void) {
    super();
  }

  intercept(exchange: Exchange, step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    this.seen(exchange, step);
    return next();
  }
}
