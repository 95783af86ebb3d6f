import type { BlockScope } from "../definition/block-scope.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { isStandIn, standInRows } from "./stand-ins.ts";
import { sinceOf } from "./stale-rows.ts";
import { zonedMoment } from "./zoned-moment.ts";

/** Answered by the question: the newest block, and the Unix second of the newest stand-in. */
export type Newest = { readonly block: number; readonly stand_in: number };

/**
 * Beyond which block a table has no rows, as its one writer knows: most runs of blocks have none of most tables, and of
 * these nothing need be asked as long as none is stored.
 */
export class NewestBlock {
  readonly #table: TableDefinition;
  #block: number | undefined;
  #standIn = 0;

  constructor(table: TableDefinition) {
    this.#table = table;
  }

  isBefore({ from }: BlockScope): boolean {
    return this.#block !== undefined && this.#block < from;
  }

  /** Nothing is stored of a run of blocks, and no stand-in that its rows could take the place of. */
  hasNoneOf(scope: BlockScope): boolean {
    const within = this.#table.standIns?.withinSeconds ?? 0;
    return this.isBefore(scope) && this.#standIn + within < zonedMoment(scope.since) / 1000;
  }

  isKnown(): boolean {
    return this.#block !== undefined;
  }

  /** Asks for the newest from a run of blocks on. */
  question(scope: BlockScope): Sql {
    const { standIns, keyRange } = this.#table;
    const standIn = standIns ? `maxIf(toUnixTimestamp(${keyRange}), ${standInRows(standIns)})` : "0";
    const newest = fromDefinition(`toUInt32(max(block_number)) AS block, toUInt32(${standIn}) AS stand_in`);
    return sql`SELECT ${newest} FROM ${this.#table} WHERE ${sinceOf(this.#table, scope)}`;
  }

  /** What was answered for a run of blocks: none is newer. */
  learn({ block, stand_in }: Newest, { from }: BlockScope): void {
    this.#block = Math.max(block, from - 1);
    this.#standIn = stand_in;
  }

  /** Before rows are stored. */
  note(rows: readonly InsertRow[] | PackedRows): void {
    if (this.#block === undefined) return;
    if (isPacked(rows)) return this.forget();
    const { standIns, keyRange = "" } = this.#table;
    for (const row of rows) {
      this.#block = Math.max(this.#block, Number(row["block_number"] ?? 0));
      if (standIns && isStandIn(standIns, row))
        this.#standIn = Math.max(this.#standIn, secondOf(String(row[keyRange])));
    }
  }

  /** Rows may have been stored that were not told here. */
  forget(): void {
    this.#block = undefined;
  }
}

/** Of a moment that is no text with its zone: beyond all others. */
function secondOf(moment: unknown): number {
  const milliseconds = zonedMoment(moment);
  return Number.isNaN(milliseconds) ? Number.POSITIVE_INFINITY : Math.floor(milliseconds / 1000);
}
