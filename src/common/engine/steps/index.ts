import type { StepType } from '../api/step-type.js';
import { AggregateStep } from './aggregate.step.js';
import { AskStep } from './ask.step.js';
import { ChoiceStep } from './choice.step.js';
import { CircuitBreakerStep } from './circuit-breaker.step.js';
import { DelayStep } from './delay.step.js';
import { EnrichStep } from './enrich.step.js';
import { FilterStep } from './filter.step.js';
import type { IdempotencyStore } from './idempotency-store.js';
import { IdempotentStep } from './idempotent.step.js';
import { LogStep } from './log.step.js';
import { LoopStep } from './loop.step.js';
import { MulticastStep } from './multicast.step.js';
import { ProgressStep } from './progress.step.js';
import { RecipientListStep } from './recipient-list.step.js';
import { RemoveHeaderStep, RemoveHeadersStep } from './remove-headers.step.js';
import { SetBodyStep } from './set-body.step.js';
import { SetHeaderStep } from './set-header.step.js';
import { SetHeadersStep } from './set-headers.step.js';
import { SetPropertyStep } from './set-property.step.js';
import { SplitStep } from './split.step.js';
import { StopStep } from './stop.step.js';
import { TargetStep } from './target.step.js';
import { ThrottleStep } from './throttle.step.js';
import { ThrowStep } from './throw.step.js';
import { TransformStep } from './transform.step.js';
import { TryStep } from './try.step.js';
import { ValidateStep } from './validate.step.js';
import { WireTapStep } from './wire-tap.step.js';

export interface StepPorts {
  /** What `idempotent` may name as its `store` beside `memory`. */
  readonly idempotencyStores?: Readonly<Record<string, IdempotencyStore>>;
}

/** The step types the engine brings along. */
export function standardSteps({ idempotencyStores = {} }: StepPorts = {}): readonly StepType[] {
  return [
    new SetBodyStep(),
    new SetHeaderStep(),
    new SetHeadersStep(),
    new RemoveHeaderStep(),
    new RemoveHeadersStep(),
    new SetPropertyStep(),
    new TransformStep(),
    new TargetStep(),
    new ChoiceStep(),
    new FilterStep(),
    new SplitStep(),
    new AggregateStep(),
    new MulticastStep(),
    new RecipientListStep(),
    new WireTapStep(),
    new EnrichStep(),
    new LoopStep(),
    new DelayStep(),
    new ThrottleStep(),
    new CircuitBreakerStep(),
    new IdempotentStep(idempotencyStores),
    new TryStep(),
    new ValidateStep(),
    new AskStep(),
    new ProgressStep(),
    new LogStep(),
    new ThrowStep(),
    new StopStep(),
  ];
}
