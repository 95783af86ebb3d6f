import type { Batch, PullOptions } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { kalshiTrades } from "../../../tables/kalshi-trades.ts";
import {
  cents,
  contracts,
  dollars,
  eachUnder,
  timestamp,
  name,
  pageCursor,
  quantity,
  timestampOf,
  toTimestamp,
  toContracts,
  toDollars,
} from "../wire/values.ts";
import { repeatNotices, walkPages } from "../wire/walk-pages.ts";
import { z } from "zod";
import { venueBegan } from "../../../definition/vocabulary.ts";
import { isoIn, rowsOf, textIn } from "../../../definition/rows-of.ts";

const outcome = z.enum(["yes", "no"]);

/** A trade of either tier. `taker_side` is deprecated and may disappear; whole contracts and cents predate 2026-03. */
export const tradeReply = z
  .looseObject({
    trade_id: name,
    ticker: name,
    created_time: timestamp
      .refine((text) => toTimestamp(text) !== null, "a trade without a timestamp")
      .refine((text) => Date.parse(text) >= venueBegan("kalshi"), "before the venue began"),
    count_fp: quantity.optional(),
    count: contracts.optional(),
    yes_price_dollars: dollars.optional(),
    yes_price: cents.optional(),
    no_price_dollars: dollars.optional(),
    no_price: cents.optional(),
    taker_outcome_side: outcome.optional(),
    taker_book_side: z.enum(["bid", "ask"]).optional(),
    taker_side: outcome.optional(),
    is_block_trade: z.boolean().default(false),
  })
  .superRefine(
    eachUnder([
      ["count_fp", "count"],
      ["yes_price_dollars", "yes_price"],
      ["no_price_dollars", "no_price"],
    ]),
  )
  .refine((trade) => trade.taker_outcome_side ?? trade.taker_book_side ?? trade.taker_side, {
    path: ["taker_outcome_side"],
    message: "no field gives the taker's side",
  });

type TradeReply = z.output<typeof tradeReply>;

/** GET /markets/trades and /historical/trades. */
export const tradesReply = z.looseObject({
  trades: rowsOf(
    tradeReply,
    { at: isoIn("created_time"), key: { trade_id: textIn("trade_id") }, instrument: textIn("ticker") },
    5000,
  ).nullable(),
  cursor: pageCursor,
});

export type TapePath = "/markets/trades" | "/historical/trades";

/** Unix seconds, `from` included and `to` not; absent `to` means up to the newest trade. */
export type Window = { readonly from?: number; readonly to?: number };

export type TapeStep = {
  readonly rows: readonly InsertRow[];
  readonly batch: Pick<Batch, "rows" | "notices">;
  /** Times of the newest and oldest trade of the page, before any filtering. */
  readonly newest: string | undefined;
  readonly oldest: string | undefined;
};

const PAGE_TRADES = 1000;

/** The global tape in a window, newest first, each trade once: `seen` contains the ids already returned. */
export async function* walkTape(
  options: Pick<PullOptions, "feed" | "signal">,
  path: TapePath,
  window: Window,
  seen: Set<string>,
  limit: number = PAGE_TRADES,
): AsyncGenerator<TapeStep> {
  const given = new Set<string>();
  // One second wider than wanted: whether the venue's bounds are inclusive is not documented.
  const min_ts = window.from === undefined ? undefined : Math.max(0, window.from - 1);
  const filters = { limit, min_ts, max_ts: window.to };
  const from = window.from === undefined ? "" : timestampOf(window.from);
  const to = window.to === undefined ? "~" : timestampOf(window.to);
  for await (const step of walkPages({ ...options, path, reply: tradesReply, filters })) {
    const all = (step.page.trades ?? []).map(toTrade);
    const timestamps = all.map(({ created_time }) => String(created_time)).sort();
    let twice = 0;
    const rows = all.filter((row) => {
      const id = String(row["trade_id"]);
      if (given.has(id)) twice += 1;
      given.add(id);
      const at = String(row["created_time"]);
      if (seen.has(id) || at < from || at >= to) return false;
      seen.add(id);
      return true;
    });
    const { notices = [] } = repeatNotices(step, path);
    const doubles =
      twice === 0 ? [] : [{ kind: "duplicate_rows" as const, text: `${path} returned trades twice`, count: twice }];
    yield {
      rows,
      batch: { rows: [{ table: kalshiTrades, rows }], notices: [...notices, ...doubles] },
      newest: timestamps.at(-1),
      oldest: timestamps[0],
    };
  }
}

/** A row of kalshi_trades. The taker of a bid bought YES. */
export function toTrade(trade: TradeReply): InsertRow {
  const byBook = trade.taker_book_side === undefined ? undefined : trade.taker_book_side === "bid" ? "yes" : "no";
  return {
    created_time: toTimestamp(trade.created_time),
    trade_id: trade.trade_id,
    ticker: trade.ticker,
    count: toContracts(trade.count_fp ?? trade.count),
    yes_price: toDollars(trade.yes_price_dollars ?? trade.yes_price),
    no_price: toDollars(trade.no_price_dollars ?? trade.no_price),
    taker_side: trade.taker_outcome_side ?? byBook ?? trade.taker_side,
    is_block_trade: trade.is_block_trade,
  };
}
