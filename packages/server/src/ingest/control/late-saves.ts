import type { Span } from "../../definition/spans.ts";
import type { SavedPlaceJson } from "../../records/schema.ts";
import { withSave } from "./backfill-record.ts";
import type { StreamRow } from "./save-batch.ts";

/** The saves of a live stream with one more that it makes while it is behind, and before it the last one that is written down. */
export function withLateSave(row: StreamRow | undefined, at: Date, reached: string): readonly SavedPlaceJson[] {
  const { late_saves: saves, reached: before, last_ok_at: savedAt } = row ?? {};
  const known = saves ?? [];
  return withSave(before && savedAt ? withSave(known, savedAt, before.toISOString()) : known, at, reached);
}

/** Of what a live stream brought while it was behind, that which it stored after a moment (Unix ms). */
export function lateSince({ late_saves: saves }: Pick<StreamRow, "late_saves">, moment: number): Span[] {
  const last = saves?.at(-1);
  if (saves === null || last === undefined || Date.parse(last.at) <= moment) return [];
  const before = saves.findLast(({ at }) => Date.parse(at) <= moment);
  return [{ from: before ? Date.parse(before.reached) : Number.NEGATIVE_INFINITY, to: Date.parse(last.reached) }];
}
