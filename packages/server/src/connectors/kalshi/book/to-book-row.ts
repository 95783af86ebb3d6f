import type { InsertRow } from "../../../definition/table.ts";
import type { Ladder, Level, Side } from "./ladder.ts";

export type Place = { readonly instrument: string; readonly ts: number; readonly seq: number };

/** A row of book_events: a full snapshot, or the new totals of the changed levels alone. `ts` is Unix milliseconds. */
export function toBookRow(
  { instrument, ts, seq }: Place,
  ladder: Ladder,
  changed?: Readonly<Partial<Record<Side, readonly Level[]>>>,
): InsertRow {
  const levels = (side: Side): readonly Level[] =>
    changed === undefined ? ladder.levels(side) : (changed[side] ?? []);
  return {
    instrument,
    ts: new Date(ts).toISOString(),
    seq,
    kind: changed === undefined ? "snapshot" : "change",
    venue: "kalshi",
    bids: levels("bids"),
    asks: levels("asks"),
    best_bid: ladder.best("bids"),
    best_ask: ladder.best("asks"),
    hash: "",
  };
}
