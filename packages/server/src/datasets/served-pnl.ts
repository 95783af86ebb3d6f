import { LAST_SECOND } from "../definition/served.ts";
import { addMicros, lessMicros } from "../definition/add-micros.ts";
import { inPercent, quotient } from "../definition/quotient.ts";
import type { MadeRow, KeyedRow, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { BUCKET_OF, dayOf, liveDays } from "./served-wallet-days.ts";

type Asked = Readonly<
  Partial<Record<"wallet" | "granularity" | "start_time" | "end_time" | "condition_id" | "method", Bound>>
>;

type Sums = {
  readonly at: number;
  invested: number | bigint;
  pnl: number | bigint;
  fills: number;
  wins: number;
  losses: number;
};

const MOST_PERCENT = 100n * 10n ** 12n;

/** Buckets of the days with an event. */
function* bucketsOf(
  wallet: string,
  days: Iterable<KeyedRow>,
  bucketOf: ((day: number) => number) | undefined,
  realized: string,
): Generator<MadeRow, void, void> {
  let sums: Sums | undefined;
  for (const day of liveDays(days)) {
    const fills = day.number("buys") + day.number("sells");
    if (fills + day.number("other_events") === 0) continue;
    const date = day.number("day");
    // All in one are named by the first of them.
    const at = bucketOf === undefined ? (sums?.at ?? date) : bucketOf(date);
    if (sums !== undefined && sums.at !== at) yield rowOf(wallet, sums);
    if (sums?.at !== at) sums = { at, invested: 0, pnl: 0, fills: 0, wins: 0, losses: 0 };
    sums.invested = addMicros(sums.invested, day.micros("bought_usd"));
    sums.pnl = addMicros(sums.pnl, lessMicros(day.micros(realized), day.micros("fee_usd")));
    sums.fills += fills;
    sums.wins += day.number("wins");
    sums.losses += day.number("losses");
  }
  if (sums !== undefined) yield rowOf(wallet, sums);
}

function rowOf(wallet: string, { at, invested, pnl, fills, wins, losses }: Sums): MadeRow {
  return {
    at,
    values: () => {
      const rate = inPercent(quotient(BigInt(wins) * 1_000_000n, fills, 1n));
      return {
        date: at,
        proxy_wallet: wallet,
        invested,
        pnl,
        trades: fills,
        wins,
        losses,
        win_rate: rate && rate.parts > MOST_PERCENT ? { ...rate, parts: MOST_PERCENT } : rate,
      };
    },
  };
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
      rows: (wallet, read) => bucketsOf(wallet, read(servedWalletDays, "wallet", wallet, span), bucketOf, realized),
    };
  },
};
