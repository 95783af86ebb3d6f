import type { Batch, Cursor, Feed, PullConnector, PullOptions } from "../../../src/definition/connector.ts";
import type { InsertRow } from "../../../src/definition/table.ts";

type Cycle = {
  readonly cursor?: Cursor | undefined;
  readonly resumed?: PullOptions["resumed"];
  readonly range?: { readonly from: string; readonly to: string };
  readonly now?: () => number;
  readonly tickers?: readonly string[];
  /** Active but not among `tickers`. */
  readonly alsoActive?: readonly string[];
  /** Times (Unix ms) after now of the earliest and the latest stored book. */
  readonly ahead?: readonly [number, number];
};

/** Runs one cycle of a pull connector to its end; returns its batches, its rows and the last batch. */
export async function runPull(connector: PullConnector, feed: Feed, cycle: Cycle = {}) {
  const batches: Batch[] = [];
  const options: PullOptions = {
    feed,
    also: {},
    cursor: cycle.cursor,
    resumed: cycle.resumed,
    ...(cycle.range && { range: cycle.range }),
    now: cycle.now ?? Date.now,
    known: async (question, among = []) => {
      const { tickers = [], alsoActive = [], ahead = [] } = cycle;
      if (question === "book_times_ahead") return ahead.map(String);
      if (question !== "left_kalshi_tickers") return tickers;
      return among.filter((ticker) => !tickers.includes(ticker) && !alsoActive.includes(ticker));
    },
    signal: new AbortController().signal,
  };
  for await (const batch of connector.pull(options)) batches.push(batch);
  const rows: InsertRow[] = batches.flatMap((batch) => batch.rows.flatMap((part) => part.rows));
  return { batches, rows, last: batches.at(-1) };
}
