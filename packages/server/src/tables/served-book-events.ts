import type { ServedTable } from "../definition/served.ts";

/** The part of book_events in the serving index: the events from which books are rebuilt, by instrument. */
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
  // Older events may be in object storage (BOOKS_COLD_AFTER_DAYS is at least 35).
  maxDays: 28,
};
