import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { hasVersions } from "./ddl.ts";

const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** The Unix milliseconds of a time given as ISO text with a zone; NaN for anything else. */
export const zonedTimestamp = (value: unknown): number =>
  typeof value === "string" && ZONED.test(value) ? Date.parse(value) : Number.NaN;

/** Number of first sort column values whose newest time is kept, some 100 bytes each. */
const MAX_LEADS = 20_000;

/**
 * Tracks the time after which a table has no rows, as known to its only writer: per value of the first column of its
 * sort order, or for all rows if that column is the time itself. For tables whose rows never change and whose key
 * contains the time.
 */
export class NewestTimestamp {
  readonly #column: string;
  readonly #lead: string | undefined;
  /** Smallest difference in milliseconds that the column can represent, at least one. */
  readonly #resolution: number;
  /** In units of the resolution; applies to values that are not in the map. */
  #floor: number | undefined;
  readonly #byLead = new Map<string, number>();
  readonly #table: TableDefinition;

  constructor(table: TableDefinition) {
    const { keyRange = "", key, orderBy, columns, provisional } = table;
    this.#table = table;
    this.#column = key.includes(keyRange) && !hasVersions(table) && provisional === undefined ? keyRange : "";
    this.#lead = orderBy[0] === keyRange ? undefined : orderBy[0];
    this.#resolution = columns[keyRange]?.stored.startsWith("DateTime64") === true ? 1 : 1000;
  }

  /** Returns the query for the newest time (Unix ms), if it is needed. */
  question(): Sql | undefined {
    if (this.#column === "" || this.#floor !== undefined) return undefined;
    const { name } = this.#table;
    return fromDefinition(
      `SELECT toFloat64(toUnixTimestamp64Milli(toDateTime64(max(${this.#column}), 3, 'UTC'))) AS newest FROM ${name}`,
    );
  }

  learn(newest: number): void {
    this.#floor = this.#rounded(newest);
  }

  /** Whether each of the rows is newer than any stored row. */
  isBefore(rows: readonly InsertRow[]): boolean {
    const floor = this.#floor;
    if (floor === undefined) return false;
    return rows.every((row) => this.#timestampOf(row) > (this.#byLead.get(this.#leadOf(row)) ?? floor));
  }

  /** Called before rows are stored. */
  note(rows: readonly InsertRow[] | PackedRows): void {
    if (this.#floor === undefined) return;
    if (isPacked(rows)) return this.forget();
    for (const row of rows) {
      const [lead, timestamp] = [this.#leadOf(row), this.#timestampOf(row)];
      if (Number.isNaN(timestamp)) return this.forget();
      this.#byLead.set(lead, Math.max(timestamp, this.#byLead.get(lead) ?? this.#floor));
    }
    if (this.#byLead.size <= MAX_LEADS) return;
    for (const timestamp of this.#byLead.values()) this.#floor = Math.max(this.#floor, timestamp);
    this.#byLead.clear();
  }

  /** Called when rows may have been stored that were not noted here. */
  forget(): void {
    this.#floor = undefined;
    this.#byLead.clear();
  }

  #leadOf(row: InsertRow): string {
    return this.#lead === undefined ? "" : String(row[this.#lead]);
  }

  #timestampOf(row: InsertRow): number {
    return this.#rounded(zonedTimestamp(row[this.#column]));
  }

  #rounded(timestamp: number): number {
    return Math.floor(timestamp / this.#resolution);
  }
}
