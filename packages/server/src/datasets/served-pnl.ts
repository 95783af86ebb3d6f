import { LAST_SECOND } from "../definition/served.ts";
import { lessMicros } from "../definition/add-micros.ts";
import type { KeyedRow, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import { pnlBuckets, type PnlDay } from "../derivations/wallet-figures/pnl-buckets.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { BUCKET_OF, dayOf, liveDays } from "./served-wallet-days.ts";

type Asked = Readonly<
  Partial<Record<"wallet" | "granularity" | "start_time" | "end_time" | "condition_id" | "method", Bound>>
>;

/** Days with an event. */
function* eventDays(days: Iterable<KeyedRow>, realized: string): Generator<PnlDay, void, void> {
  for (const day of liveDays(days)) {
    const fills = day.number("buys") + day.number("sells");
    if (fills + day.number("other_events") === 0) continue;
    yield {
      date: day.number("day"),
      invested: day.micros("bought_usd"),
      pnl: lessMicros(day.micros(realized), day.micros("fee_usd")),
      fills,
      wins: day.number("wins"),
      losses: day.number("losses"),
    };
  }
}

/** Dataset 569 from days as they are served; `order` is that of its query. What was done in some markets is the engine's. */
export const servedPnl: Omit<ServedKeyed, "order"> = {
  tables: [servedWalletDays],
  search: (p: Asked) => {
    const granularity = String(p.granularity?.value);
    const bucketOf = BUCKET_OF[granularity];
    if (p.wallet === undefined || p.condition_id !== undefined) return undefined;
    if (bucketOf === undefined && granularity !== "all") return undefined;
    const realized = p.method?.value === "fifo" ? "realized_fifo_usd" : "realized_usd";
    const span = { from: p.start_time ? dayOf(p.start_time) : 0, to: p.end_time ? dayOf(p.end_time) : LAST_SECOND };
    return {
      keys: p.wallet.value as readonly string[],
      from: span.from,
      rows: (wallet, { rows }) =>
        pnlBuckets(wallet, eventDays(rows(servedWalletDays, "wallet", wallet, span), realized), bucketOf),
    };
  },
};
