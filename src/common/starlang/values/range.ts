import { cells, checkCollectionSize, steps } from '../runtime/machine.js';
import { Box } from './box.js';

/** `a to b`, both included; descending when a > b. Its items are made when somebody walks it. */
export class Range extends Box {
  readonly typeName = 'Range';
  private made: number[] | undefined;

  constructor(
    readonly from: number,
    readonly to: number,
  ) {
    super();
  }

  get size(): number {
    return Math.abs(this.to - this.from) + 1;
  }

  at(index: number): number | undefined {
    const i = index < 0 ? this.size + index : index;
    if (i < 0 || i >= this.size) return undefined;
    return this.from <= this.to ? this.from + i : this.from - i;
  }

  items(): number[] {
    if (!this.made) {
      checkCollectionSize(this.size);
      steps(this.size);
      cells(this.size);
      const by = this.from <= this.to ? 1 : -1;
      this.made = Array.from({ length: this.size }, (_, i) => this.from + i * by);
    }
    return this.made;
  }
}
