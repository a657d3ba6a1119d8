import { doubtfulScripts } from './doubtful-scripts.js';
import { endlessCycle } from './endless-cycle.js';
import { fieldDefaults } from './field-defaults.js';
import { missingConnection } from './missing-connection.js';
import { ruleArguments } from './rule-arguments.js';
import { ruleScripts } from './rule-scripts.js';
import type { Rule } from './rule.js';
import { sedaDeadlock } from './seda-deadlock.js';
import { testSubjects } from './test-subjects.js';
import { unreachableSteps } from './unreachable-steps.js';
import { unreadSection } from './unread-section.js';

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
];
