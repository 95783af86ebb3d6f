import { sql } from "../../definition/sql.ts";
import type { Journal } from "./copy-journal.ts";
import { copyRows } from "./copy-rows.ts";
import type { Move } from "./move.ts";
import type { MovedTable } from "./moved-table.ts";
import { all } from "./slice.ts";
import { staysOn, storedSince } from "./stamp.ts";

/** Rows are seen by readers within this after they were stamped; what takes longer is found by comparing. */
const MARGIN_MS = 60_000;

/** Copies what was stored since the last time, in every table that tells when a row was stored. */
export async function copyChanges(move: Move, journal: Journal, tables: readonly MovedTable[]): Promise<void> {
  const { progress, save } = journal;
  const began = move.now();
  const since = progress.through_ms;
  const stamped = tables.filter(({ stamp }) => stamp !== undefined);
  for (const [index, table] of stamped.entries()) {
    move.signal?.throwIfAborted();
    const where = all([storedSince(table, since), staysOn(table, began)]);
    const changed = await move.source.store.rows(
      sql`SELECT 1 AS one FROM ${{ kind: "table", name: table.name }} WHERE ${where} LIMIT 1`,
    );
    // A new version takes the place of the old one by itself.
    if (changed.length > 0) await copyRows(move, table, where, table.isVersioned);
    move.onProgress?.({ phase: "changes", table: table.name, done: index + 1, of: stamped.length });
  }
  progress.through_ms = Math.max(since, began - MARGIN_MS);
  save();
}
