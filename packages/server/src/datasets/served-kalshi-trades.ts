import type { Served, ServedSearch } from "../definition/served-dataset.ts";
import type { Bound } from "../definition/sql.ts";
import { servedKalshiTrades as table } from "../tables/served-kalshi-trades.ts";

type Asked = Readonly<
  Partial<Record<"ticker" | "event_ticker" | "taker_side" | "min_count" | "start_time" | "end_time", Bound>>
>;

/** Which tickers an event has is the engine's to know. */
function search(p: Asked): ServedSearch | undefined {
  if (p.event_ticker) return undefined;
  return {
    from: p.start_time,
    to: p.end_time,
    tests: [
      ...(p.taker_side ? [{ column: "taker_side", oneOf: [String(p.taker_side.value)] }] : []),
      ...(p.min_count ? [{ column: "count", least: String(p.min_count.value) }] : []),
    ],
    ...(p.ticker ? { by: { column: "ticker", values: p.ticker.value as readonly string[] } } : {}),
  };
}

/** Dataset 573 from the trades as they are served; `order` is that of its query. */
export const servedKalshi: Omit<Served, "order"> = {
  table,
  fields: {
    yes_price: { column: "yes_price", times: 100 },
    no_price: { column: "no_price", times: 100 },
    usd: {
      where: { column: "taker_side", oneOf: ["yes"] },
      met: { product: ["count", "yes_price"] },
      unmet: { product: ["count", "no_price"] },
    },
  },
  search,
};
