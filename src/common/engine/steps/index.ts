import type { StepType } from '../api/step-type.js';
import { ChoiceStep } from './choice.step.js';
import { FilterStep } from './filter.step.js';
import { LogStep } from './log.step.js';
import { RemoveHeaderStep, RemoveHeadersStep } from './remove-headers.step.js';
import { SetBodyStep } from './set-body.step.js';
import { SetHeaderStep } from './set-header.step.js';
import { SetHeadersStep } from './set-headers.step.js';
import { SetPropertyStep } from './set-property.step.js';
import { StopStep } from './stop.step.js';
import { TargetStep } from './target.step.js';
import { ThrowStep } from './throw.step.js';
import { TransformStep } from './transform.step.js';

/** The step types the engine brings along. */
export function standardSteps(): readonly StepType[] {
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
    new LogStep(),
    new ThrowStep(),
    new StopStep(),
  ];
}
