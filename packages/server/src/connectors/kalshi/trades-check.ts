import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { type Look, lookAgain } from "../../definition/look-again.ts";
import type { InsertRow } from "../../definition/table.ts";
import { kalshiTrades } from "../../tables/kalshi-trades.ts";
import { kalshiHost } from "./hosts.ts";
import { walkTape } from "./tape/walk-tape.ts";
import { secondsOf } from "./wire/to-values.ts";
import { kalshiTradesStream } from "./trades.ts";

/** By then the tape has all of it, and what was late is on it too. */
const BEHIND_SECONDS = 120;
/** Some tens of thousands of trades in the busiest hours. */
const WINDOW_SECONDS = 300;
/** Pages are cut elsewhere than those of the first read (of 1,000), and elsewhere at each look. */
const PAGE_TRADES = 900;
const PAGE_LESS = 137;

/**
 * A second look at Kalshi's tape, two minutes behind the first: in windows of its own, with pages of another size, so
 * that what slipped out between two pages of the first read is found. It is stored at once, and a gap of the tape's
 * stream has its stretch read a third time.
 */
export const kalshiTradesCheckStream = definePull({
  name: "kalshi-trades-check",
  title: "Kalshi trades, looked at again",
  venue: "kalshi",
  host: kalshiHost,
  tables: [],
  addsTo: [kalshiTrades],
  everySeconds: 20,
  canBackfill: false,
  isPatient: true,
  pull,
});

function pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  return lookAgain(options, {
    of: kalshiTradesStream.name,
    called: "trades",
    behindSeconds: BEHIND_SECONDS,
    windowSeconds: WINDOW_SECONDS,
    opensGap: true,
    look: (from, to, time) => look(options, from, to, PAGE_TRADES - PAGE_LESS * time),
  });
}

async function look(options: PullOptions, from: number, to: number, limit: number): Promise<Look> {
  const told: InsertRow[] = [];
  for await (const { rows } of walkTape(options, "/markets/trades", { from, to }, new Set(), limit)) {
    for (const row of rows) told.push(row);
  }
  const stored = new Set(await options.storedFills?.trades(from, to));
  const rows = told.filter(({ trade_id }) => !stored.has(String(trade_id)));
  const agreed = told.length - rows.length;
  const missing = rows.map(({ created_time }) => secondsOf(String(created_time)));
  return { rows: [{ table: kalshiTrades, rows }], agreed, missing, unlisted: stored.size - agreed };
}
