import { Injectable } from '@nestjs/common';
import type { SealContext } from './envelope.js';

/** A secret as its row keeps it. */
export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
  readonly place: SealContext;
}

/** What the keyring asks of whoever keeps sealed secrets in a table. */
export interface SealedTable {
  /** The table's name, for the operator. */
  readonly name: string;
  /** How many rows each key of the ring seals, by key id. */
  countByKey(): Promise<ReadonlyMap<string, number>>;
  /** The next rows after `id`, in the order of their ids, that another key than `keyId` seals. */
  notSealedBy(keyId: string, afterId: string, limit: number): Promise<readonly SealedRow[]>;
  /** @returns false where the row is gone, or is not sealed as it was read */
  replaceSealed(row: SealedRow, renewed: string): Promise<boolean>;
}

/** Every table that holds sealed secrets; the module that keeps one adds it when it starts. */
@Injectable()
export class SealedTables {
  readonly #tables: SealedTable[] = [];

  add(table: SealedTable): void {
    this.#tables.push(table);
  }

  all(): readonly SealedTable[] {
    return this.#tables;
  }
}
