import type { Span } from "../../definition/spans.ts";
import type { SavedPlaceJson } from "../../records/schema.ts";
import { stoodAt, withSave } from "./backfill-record.ts";
import type { StreamRow } from "./save-batch.ts";

/**
 * Adds the save of a batch stored while the stream was behind, preceded by its previous watermark; undefined if the
 * batch brought nothing. Known rows count too if the watermark advances: a process killed before saving it may have
 * just stored them.
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

/** The part of what a live stream stored while behind that it stored after a time (Unix ms). */
export function lateSince({ late_saves: saves }: Pick<StreamRow, "late_saves">, timestamp: number): Span[] {
  const last = saves?.at(-1);
  if (last === undefined || Date.parse(last.at) <= timestamp) return [];
  return [{ from: stoodAt(saves, timestamp) ?? Number.NEGATIVE_INFINITY, to: Date.parse(last.reached) }];
}
