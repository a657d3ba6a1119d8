import type { SourceNode } from '../engine/model/source-node.js';

/** Where a definition (a tool, a field, a rule, a workflow) was read from, for checks that come after reading. */
export const origins = new WeakMap<object, SourceNode>();
