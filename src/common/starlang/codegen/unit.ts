import type { Binding, FrameInfo } from '../compile/scope.js';

export type Slot = Extract<Binding, { kind: 'slot' }>;

/** Where a slot is found in the written code. */
export type Place =
  | { in: 'local'; code: string }
  /** In a frame that is really there: functions, and variables that are computed when first read. */
  | { in: 'frame'; frame: string; direct?: { code: string; count: number } };

/**
 * A frame of the closure back end as the written code sees it. Its slots are JavaScript names; the
 * array itself is only made where a closure needs it (or at once, when it holds lazy variables).
 */
export class Unit {
  /** Slots that are set at this point. */
  slots: { index: number; code: string }[] = [];
  /** Name of the array when there is one. */
  home: string | undefined;

  constructor(
    readonly info: FrameInfo,
    readonly parent: Unit | undefined,
  ) {}

  /** The frame as an expression. */
  frame(): string {
    if (this.home !== undefined) return this.home;
    const cells = [this.parent?.frame() ?? 'null'];
    for (const { index, code } of this.slots) {
      while (cells.length <= index) cells.push('null');
      cells[index] = code;
    }
    return `[${cells.join(', ')}]`;
  }
}
