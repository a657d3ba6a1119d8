import { Injectable } from '@nestjs/common';
import { HelixError } from '../../engine/errors/helix-error.js';
import { Envelope } from './envelope.js';
import { Keyring } from './keyring.js';
import { type KeyedTable, type SealedRow, type SealedTable, SealedTables } from './sealed-tables.js';

/** Rows of one table under one key. */
export interface KeyUse {
  readonly table: string;
  /** `''` for rows of which it cannot be told. */
  readonly keyId: string;
  readonly rows: number;
}

export interface KeyStatus {
  readonly activeId: string;
  /** Ids of the ring, the active one first. */
  readonly ring: readonly string[];
  readonly uses: readonly KeyUse[];
  /** Keys that rows need and the ring has not. */
  readonly missing: readonly string[];
}

export interface Rotation {
  readonly activeId: string;
  readonly rewrapped: number;
  /** Saved or removed by somebody else meanwhile: nothing is left to do for them. */
  readonly changed: number;
  /** Left as they were. */
  readonly unreadable: readonly { readonly table: string; readonly id: string; readonly reason: string }[];
}

/** Rows read at once. */
const pageSize = 200;

/** Moves stored secrets to the active key of the ring, while Helix serves. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly keyring: Keyring,
    private readonly envelope: Envelope,
    private readonly tables: SealedTables,
  ) {}

  async status(): Promise<KeyStatus> {
    const uses = (await Promise.all(this.tables.all().map(usesOf))).flat();
    const needed = new Set(uses.map(({ keyId }) => keyId).filter((keyId) => keyId !== ''));
    return {
      activeId: this.keyring.activeId,
      ring: this.keyring.ids,
      uses,
      missing: [...needed].filter((keyId) => !this.keyring.has(keyId)).toSorted(),
    };
  }

  /**
   * Wraps the data key of every secret with the active key, row by row, each by compare and set: it may be stopped and
   * begun again at any moment, by several at once. A row that does not open is named and left alone.
   * @param progress told after each page how many rows were looked at
   */
  async rotate(progress: (rows: number) => void = () => {}): Promise<Rotation> {
    const count = { rewrapped: 0, changed: 0 };
    const unreadable: { table: string; id: string; reason: string }[] = [];
    for (const table of this.tables.sealed()) {
      for await (const row of this.#pages(table, () =>
        progress(count.rewrapped + count.changed + unreadable.length),
      )) {
        const end = await this.#rewrap(table, row);
        if (typeof end === 'string') count[end] += 1;
        else unreadable.push({ table: table.name, id: row.id, reason: end.message });
      }
    }
    return { activeId: this.keyring.activeId, ...count, unreadable };
  }

  async *#pages(table: SealedTable, paged: () => void): AsyncGenerator<SealedRow> {
    let after: string | undefined = '';
    while (after !== undefined) {
      const rows: readonly SealedRow[] = await table.notSealedBy(this.keyring.activeId, after, pageSize);
      yield* rows;
      after = rows.at(-1)?.id;
      if (after !== undefined) paged();
    }
  }

  async #rewrap(table: SealedTable, row: SealedRow): Promise<'rewrapped' | 'changed' | HelixError> {
    let renewed: string | undefined;
    try {
      renewed = await this.envelope.rewrap(row.sealed, row.place);
    } catch (error) {
      if (error instanceof HelixError) return error;
      throw error;
    }
    return renewed !== undefined && (await table.replaceSealed(row, renewed)) ? 'rewrapped' : 'changed';
  }
}

async function usesOf(table: KeyedTable): Promise<KeyUse[]> {
  const counts = await table.countByKey();
  return [...counts].map(([keyId, rows]) => ({ table: table.name, keyId, rows }));
}
