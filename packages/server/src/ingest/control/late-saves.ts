import type { Span } from "../../definition/spans.ts";
import type { SavedPlaceJson } from "../../records/schema.ts";
import { stoodAt, withSave } from "./backfill-record.ts";
import type { StreamRow } from "./save-batch.ts";

/**
 * The late saves of a stream with that of a batch which it stored while it was behind, and before it where the stream
 * stood till then; undefined where the batch brought nothing. Rows that are known already count where the place moves
 * on: a process that was killed before it saved its place may have stored them a moment ago.
 */
export function withLateSave(
  row: StreamRow | undefined,
  { reached, stored }: { readonly reached: string; readonly stored: number },
  at: Date,
): readonly SavedPlaceJson[] | undefined {
  const { late_saves: saves, reached: before, last_ok_at: savedAt } = row ?? {};
  if (stored === 0 && before?.getTime() === Date.parse(reached)) return undefined;
  const known = saves ?? [];
  return withSave(before && savedAt ? withSave(known, savedAt, before.toISOString()) : known, at, reached);
}

/** Of what a live stream stored while it was behind, that which it stored after a moment (Unix ms). */
export function lateSince({ late_saves: saves }: Pick<StreamRow, "late_saves">, moment: number): Span[] {
  const last = saves?.at(-1);
  if (last === undefined || Date.parse(last.at) <= moment) return [];
  return [{ from: stoodAt(saves, moment) ?? Number.NEGATIVE_INFINITY, to: Date.parse(last.reached) }];
}
