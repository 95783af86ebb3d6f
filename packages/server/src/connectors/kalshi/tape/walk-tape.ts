import type { Batch, PullOptions } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { kalshiTrades } from "../../../tables/kalshi-trades.ts";
import { momentOf } from "../wire/to-moment.ts";
import { toTrade } from "./to-trade.ts";
import { tradesReply } from "./trade-reply.ts";
import { repeatNotices, walkPages } from "../wire/walk-pages.ts";

export type TapePath = "/markets/trades" | "/historical/trades";

/** Unix seconds, `from` included and `to` not; without `to` up to the newest trade. */
export type Window = { readonly from?: number; readonly to?: number };

export type TapeStep = {
  readonly rows: readonly InsertRow[];
  readonly batch: Pick<Batch, "rows" | "notices">;
  /** Moments of the newest and oldest trade of the page, before anything was left out. */
  readonly newest: string | undefined;
  readonly oldest: string | undefined;
};

const PAGE_TRADES = 1000;

/** The global tape in a window, newest first, each trade once: `seen` holds the ids already given. */
export async function* walkTape(
  options: Pick<PullOptions, "feed" | "signal">,
  path: TapePath,
  window: Window,
  seen: Set<string>,
  limit: number = PAGE_TRADES,
): AsyncGenerator<TapeStep> {
  const given = new Set<string>();
  // A second wider than wanted: whether the venue's bounds are inclusive is not documented.
  const min_ts = window.from === undefined ? undefined : Math.max(0, window.from - 1);
  const filters = { limit, min_ts, max_ts: window.to };
  const from = window.from === undefined ? "" : momentOf(window.from);
  const to = window.to === undefined ? "~" : momentOf(window.to);
  for await (const step of walkPages({ ...options, path, reply: tradesReply, filters })) {
    const all = (step.page.trades ?? []).map(toTrade);
    const moments = all.map(({ created_time }) => String(created_time)).sort();
    let twice = 0;
    const rows = all.filter((row) => {
      const id = String(row["trade_id"]);
      if (given.has(id)) twice += 1;
      given.add(id);
      const moment = String(row["created_time"]);
      if (seen.has(id) || moment < from || moment >= to) return false;
      seen.add(id);
      return true;
    });
    const { notices = [] } = repeatNotices(step, path);
    const doubles =
      twice === 0 ? [] : [{ kind: "duplicate_rows" as const, text: `${path} gave trades twice`, count: twice }];
    yield {
      rows,
      batch: { rows: [{ table: kalshiTrades, rows }], notices: [...notices, ...doubles] },
      newest: moments.at(-1),
      oldest: moments[0],
    };
  }
}
