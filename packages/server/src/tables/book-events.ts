import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * Order books of both venues: full states and changes, in the order received. A past book is the last snapshot at or
 * before a time plus the changes after it. Kalshi's books are on the YES scale (a NO bid at p is a YES ask at 1 − p). A
 * change holds the new total size of each level it names; 0 removes the level.
 */
export const bookEvents = defineTable({
  name: "book_events",
  about: "Order-book snapshots and changes.",
  columns: {
    instrument: stored.text("Polymarket token id (decimal) or Kalshi ticker."),
    ts: stored.millis("Time by the venue's clock; time of receipt if the venue reports none."),
    seq: stored.count("Position among this instrument's events of this millisecond, from 0."),
    kind: stored.choice(["snapshot", "change"], "Full state or changed levels."),
    venue: stored.choice(["polymarket", "kalshi"], "Venue."),
    bids: stored.levels("Bid levels, best last."),
    asks: stored.levels("Ask levels, best last (price descending)."),
    best_bid: stored.maybeMoney("Best bid after this event."),
    best_ask: stored.maybeMoney("Best ask after this event."),
    hash: stored.text("The venue's hash of the book after this event; empty if none."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["instrument", "ts", "seq"],
  partitionBy: "toMonday(ts)",
  cools: "ts",
  granularity: { own: 512 },
  key: ["instrument", "ts", "seq"],
  keyRange: "ts",
  indexes: ["INDEX moments ts TYPE minmax GRANULARITY 1"],
  shardBy: "cityHash64(instrument)",
});
