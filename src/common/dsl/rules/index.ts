import { choiceWithoutOtherwise } from './choice-without-otherwise.js';
import { doubtfulSchema } from './doubtful-schema.js';
import { doubtfulScripts } from './doubtful-scripts.js';
import { effectBeforeAsk } from './effect-before-ask.js';
import { emptyWorkflow } from './empty-workflow.js';
import { emptyWorkspace } from './empty-workspace.js';
import { endlessCycle } from './endless-cycle.js';
import { fieldDefaults } from './field-defaults.js';
import { missingConnection } from './missing-connection.js';
import { repeatedEffect } from './repeated-effect.js';
import { ruleArguments } from './rule-arguments.js';
import { ruleScripts } from './rule-scripts.js';
import type { Rule } from './rule.js';
import { schemaExample } from './schema-example.js';
import { sedaDeadlock } from './seda-deadlock.js';
import { shadowedClause } from './shadowed-clause.js';
import { testSubjects } from './test-subjects.js';
import { timeOutOrder } from './time-out-order.js';
import { unknownCode } from './unknown-code.js';
import { unreachableSteps } from './unreachable-steps.js';
import { unreadSection } from './unread-section.js';
import { unsetHeader } from './unset-header.js';
import { unsetProperty } from './unset-property.js';
import { unusedWorkflow } from './unused-workflow.js';
import { wrongResult } from './wrong-result.js';

/** The checks over a whole workspace; a new one is listed here. */
export const rules: readonly Rule[] = [
  fieldDefaults,
  ruleArguments,
  ruleScripts,
  unreachableSteps,
  endlessCycle,
  sedaDeadlock,
  missingConnection,
  unreadSection,
  doubtfulScripts,
  testSubjects,
  choiceWithoutOtherwise,
  doubtfulSchema,
  effectBeforeAsk,
  emptyWorkflow,
  emptyWorkspace,
  repeatedEffect,
  schemaExample,
  shadowedClause,
  timeOutOrder,
  unknownCode,
  unsetHeader,
  unsetProperty,
  unusedWorkflow,
  wrongResult,
];
