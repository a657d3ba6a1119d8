/** What stands in a {@link LinkedList}, with its own links: entering and leaving allocates nothing. */
export interface Linked<T> {
  before: T | null;
  after: T | null;
}

/**
 * In the order of entering, and any member can leave without a search. For what comes and goes with every message: a Set
 * that is added to and deleted from without end makes table after table, and each table that the collector has moved to
 * its old generation keeps all later ones alive. Links of those who left are cut for the same reason.
 */
export class LinkedList<T extends Linked<T>> {
  first: T | null = null;
  #last: T | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(member: T): void {
    member.before = this.#last;
    member.after = null;
    if (this.#last === null) this.first = member;
    else this.#last.after = member;
    this.#last = member;
    this.#size++;
  }

  /** Only for a member that is in this list. */
  remove(member: T): void {
    const { before, after } = member;
    if (before === null) this.first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    member.before = null;
    member.after = null;
    this.#size--;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let member = this.first; member !== null; member = member.after) yield member;
  }
}
