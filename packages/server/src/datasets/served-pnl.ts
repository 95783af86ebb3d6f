import { LAST_SECOND } from "../definition/served.ts";
import { lessMicros } from "../definition/micros.ts";
import type { KeyedReader, KeyedRow, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import {
  marketDays,
  type MarketDaysRequested,
  pnlBuckets,
  type PnlDay,
} from "../derivations/wallet-figures/pnl-buckets.ts";
import { FOLDED_FROM, foldedByKey } from "../derivations/wallet-keyed/folded-by-key.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { BUCKET_OF, dayOf, liveDays } from "./served-wallet-days.ts";
import { setOf } from "./list-of.ts";

type Requested = Readonly<
  Partial<Record<"wallet" | "granularity" | "start_time" | "end_time" | "condition_id" | "method", Bound>>
>;

const DAY = 86_400;

/** Days with an event. */
function* eventDays(days: Iterable<KeyedRow>, isFifo: boolean): Generator<PnlDay, void, void> {
  const realized = isFifo ? "realized_fifo_usd" : "realized_usd";
  for (const day of liveDays(days)) {
    const fills = day.number("buys") + day.number("sells");
    if (fills + day.number("other_events") === 0) continue;
    const fee = day.micros("fee_usd");
    yield {
      date: day.number("day"),
      invested: day.micros("bought_usd"),
      pnl: lessMicros(day.micros(realized), fee),
      fee,
      fills,
      wins: day.number("wins"),
      losses: day.number("losses"),
    };
  }
}

/** Days of a wallet in some markets, from its ledger folded on request; in steps. */
function* daysInMarkets(
  wallet: string,
  requested: MarketDaysRequested,
  reader: KeyedReader,
): Generator<undefined, PnlDay[]> {
  const folded = yield* foldedByKey({ wallet, asOf: Math.floor(requested.to / DAY) }, reader);
  return folded === undefined ? [] : marketDays(folded, requested);
}

/** Dataset 569 from the days of the serving index; for some markets from ledgers by key. */
export const servedPnl: Omit<ServedKeyed, "order"> = {
  tables: [servedWalletDays, ...FOLDED_FROM],
  tokens: polymarketTokens,
  search: (p: Requested) => {
    const granularity = String(p.granularity?.value);
    const bucketOf = BUCKET_OF[granularity];
    if (p.wallet === undefined || (bucketOf === undefined && granularity !== "all")) return undefined;
    const isFifo = p.method?.value === "fifo";
    const span = { from: p.start_time ? dayOf(p.start_time) : 0, to: p.end_time ? dayOf(p.end_time) : LAST_SECOND };
    const keys = p.wallet.value as readonly string[];
    const conditions = setOf(p.condition_id);
    if (conditions === undefined)
      return {
        keys,
        from: span.from,
        reads: { tables: [servedWalletDays] },
        rows: (wallet, { rows }) =>
          pnlBuckets(wallet, eventDays(rows(servedWalletDays, "wallet", wallet, span), isFifo), bucketOf),
      };
    const requested = { ...span, conditions, isFifo };
    return {
      keys,
      from: 0,
      reads: { tables: FOLDED_FROM, tokens: polymarketTokens },
      rows: function* rows(wallet, reader) {
        yield* pnlBuckets(wallet, yield* daysInMarkets(wallet, requested, reader), bucketOf);
      },
    };
  },
};
