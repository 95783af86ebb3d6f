import type { InsertRow } from "../../../definition/table.ts";
import { microText } from "../../../definition/micro-text.ts";
import { toMicro } from "../exact/to-micro.ts";
import type { Level } from "./book-side.ts";

type Event = {
  readonly instrument: string;
  readonly ms: number;
  readonly seq: number;
  readonly kind: "snapshot" | "change";
  /** By rising price. */
  readonly bids: readonly Level[];
  /** By falling price. */
  readonly asks: readonly Level[];
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  readonly hash: string;
};

/** A row of book_events: levels as pairs of decimal strings, the best last on both sides. */
export function bookRow(event: Event): InsertRow {
  return {
    instrument: event.instrument,
    ts: new Date(event.ms).toISOString(),
    seq: event.seq,
    kind: event.kind,
    venue: "polymarket",
    bids: event.bids.map(pair),
    asks: event.asks.map(pair),
    best_bid: event.bestBid === null ? null : microText(BigInt(event.bestBid)),
    best_ask: event.bestAsk === null ? null : microText(BigInt(event.bestAsk)),
    hash: event.hash,
  };
}

function pair({ price, size }: Level): [string, string] {
  return [microText(toMicro(price)), microText(toMicro(size))];
}
