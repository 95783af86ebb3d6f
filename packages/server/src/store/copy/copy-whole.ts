import type { Journal } from "./copy-journal.ts";
import type { Move } from "./move.ts";
import { copyRows } from "./copy-rows.ts";
import type { MovedTable } from "./moved-table.ts";
import { planSlices } from "./plan-slices.ts";
import { all, sliceSql } from "./slice.ts";
import { staysOn, storedSince } from "./stamp.ts";
import { sql } from "../../definition/sql.ts";

const SLICE_BYTES = 128_000_000;

/**
 * Copies all rows of a table slice by slice. Of tables without versions only what was stored before the journal's cut:
 * a row is copied once, by this walk or by the one over what was stored since. A slice that was cut off is made again.
 */
export async function copyWhole(move: Move, journal: Journal, table: MovedTable): Promise<void> {
  const { tables, cut_ms: cut } = journal.progress;
  const state = (tables[table.name] ??= {
    slices: await planSlices(move.source.store, table, move.sliceBytes ?? SLICE_BYTES),
    done: 0,
    is_begun: false,
  });
  const isOld = table.isVersioned || table.stamp === undefined ? sql`1` : sql`NOT (${storedSince(table, cut)})`;
  while (state.done < state.slices.length) {
    move.signal?.throwIfAborted();
    const isNew = !state.is_begun;
    state.is_begun = true;
    journal.save();
    const where = all([sliceSql(table, state.slices[state.done] ?? {}), isOld, staysOn(table, move.now())]);
    await copyRows(move, table, where, isNew);
    state.done += 1;
    state.is_begun = false;
    journal.save();
    move.onProgress?.({ phase: "whole", table: table.name, done: state.done, of: state.slices.length });
  }
}
