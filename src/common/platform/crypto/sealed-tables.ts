import { Injectable } from '@nestjs/common';
import type { SealContext } from './envelope.js';

/** A secret as its row keeps it. */
export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
  readonly place: SealContext;
}

/** What the keyring asks of whoever keeps rows that are worth nothing without one of its keys. */
export interface KeyedTable {
  /** The table's name, for the operator. */
  readonly name: string;
  /** How many rows need each key of the ring, by key id; `''` for those of which it is not known. */
  countByKey(): Promise<ReadonlyMap<string, number>>;
}

/** A table whose rows can be moved to another key. */
export interface SealedTable extends KeyedTable {
  /** The next rows after `id`, in the order of their ids, that another key than `keyId` seals. */
  notSealedBy(keyId: string, afterId: string, limit: number): Promise<readonly SealedRow[]>;
  /** @returns false where the row is gone, or is not sealed as it was read */
  replaceSealed(row: SealedRow, renewed: string): Promise<boolean>;
}

/** Every table that needs the keyring; the module that keeps one adds it when it starts. */
@Injectable()
export class SealedTables {
  readonly #sealed: SealedTable[] = [];
  readonly #counted: KeyedTable[] = [];

  add(table: SealedTable): void {
    this.#sealed.push(table);
  }

  /** For digests, which nobody can make anew without what was digested. */
  count(table: KeyedTable): void {
    this.#counted.push(table);
  }

  /** Those whose rows can be moved. */
  sealed(): readonly SealedTable[] {
    return this.#sealed;
  }

  all(): readonly KeyedTable[] {
    return [...this.#sealed, ...this.#counted];
  }
}
