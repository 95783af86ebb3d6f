import type { InsertRow } from "../../../definition/table.ts";
import type { Ladder, Level, Side } from "./ladder.ts";

export type Place = { readonly instrument: string; readonly ts: number; readonly seq: number };

/** A row of book_events with the whole book. `ts` is Unix milliseconds. */
export function toSnapshotRow(place: Place, ladder: Ladder): InsertRow {
  return toRow(place, "snapshot", ladder, { bids: ladder.levels("bids"), asks: ladder.levels("asks") });
}

/** A row of book_events with one changed level and its new total. */
export function toChangeRow(place: Place, ladder: Ladder, side: Side, level: Level): InsertRow {
  const none: readonly Level[] = [];
  return toRow(place, "change", ladder, { bids: none, asks: none, [side]: [level] });
}

function toRow(
  { instrument, ts, seq }: Place,
  kind: "snapshot" | "change",
  ladder: Ladder,
  levels: Readonly<Record<Side, readonly Level[]>>,
): InsertRow {
  return {
    instrument,
    ts: new Date(ts).toISOString(),
    seq,
    kind,
    venue: "kalshi",
    bids: levels.bids,
    asks: levels.asks,
    best_bid: ladder.best("bids"),
    best_ask: ladder.best("asks"),
    hash: "",
  };
}
