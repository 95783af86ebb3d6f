import type { ServedTable } from "../definition/served.ts";

/** What the serving index keeps of book_events: what a book is rebuilt from, by instrument. */
export const servedBookEvents: ServedTable = {
  name: "book_events",
  columns: {
    instrument: { kind: "text" },
    ts: { kind: "millis" },
    seq: { kind: "count" },
    kind: { kind: "choice", values: ["snapshot", "change"] },
    bids: { kind: "list", of: "levels" },
    asks: { kind: "list", of: "levels" },
    hash: { kind: "text" },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "seq"],
  keys: ["instrument"],
  storedAt: "ingested_at",
  rowBytes: 250,
  // Older ones may lie in object storage (BOOKS_COLD_AFTER_DAYS is 35 at least).
  mostDays: 28,
};
