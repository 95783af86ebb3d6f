import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { type Look, lookAgain } from "../../definition/look-again.ts";
import type { InsertRow } from "../../definition/table.ts";
import { kalshiTrades } from "../../tables/kalshi-trades.ts";
import { kalshiHost } from "./hosts.ts";
import { walkTape } from "./tape/walk-tape.ts";
import { secondsOf } from "./wire/values.ts";
import { kalshiTradesStream } from "./trades.ts";

/** The tape is complete within this time, late trades included. */
const BEHIND_SECONDS = 120;
/** Some tens of thousands of trades in the busiest hours. */
const WINDOW_SECONDS = 300;
/** Page boundaries differ from those of the first read (of 1,000), and differ in each pass. */
const PAGE_TRADES = 900;
const PAGE_LESS = 137;

/**
 * Reads Kalshi's tape a second time, two minutes behind the first, with other windows and page sizes, to find trades
 * missed between two pages. They are stored at once, and a gap in the trades stream has their time range read a third
 * time.
 */
export const kalshiTradesCheckStream = definePull({
  name: "kalshi-trades-check",
  title: "Kalshi trades, checked again",
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
  const reported: InsertRow[] = [];
  for await (const { rows } of walkTape(options, "/markets/trades", { from, to }, new Set(), limit)) {
    for (const row of rows) reported.push(row);
  }
  const stored = new Set(await options.storedFills?.trades(from, to));
  const rows = reported.filter(({ trade_id }) => !stored.has(String(trade_id)));
  const agreed = reported.length - rows.length;
  const missing = rows.map(({ created_time }) => secondsOf(String(created_time)));
  return { rows: [{ table: kalshiTrades, rows }], agreed, missing, unlisted: stored.size - agreed };
}
