import { LAST_SECOND } from "../definition/served.ts";
import { addMicros, lessMicros } from "../definition/micros.ts";
import type { MadeRow, KeyedRow, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { BUCKET_OF, dayOf, liveDays } from "./served-wallet-days.ts";

type Requested = Readonly<Partial<Record<"proxy_wallet" | "interval" | "start_time" | "end_time", Bound>>>;
type Amount = number | bigint;

type Candle = {
  readonly at: number;
  readonly open: Amount;
  high: Amount;
  low: Amount;
  close: Amount;
  realized: Amount;
  fees: Amount;
  unrealized: Amount;
  held: Amount;
  peak: Amount;
  deepest: Amount;
  fills: number;
};

const larger = (a: Amount, b: Amount): Amount => (a < b ? b : a);
const smaller = (a: Amount, b: Amount): Amount => (a < b ? a : b);

/** Candles of the days from `since` on; earlier days determine their opening value and previous high. */
function* candlesOf(
  wallet: string,
  days: Iterable<KeyedRow>,
  bucketOf: (day: number) => number,
  since: number,
): Generator<MadeRow, void, void> {
  let candle: Candle | undefined;
  let [before, peak]: [Amount, Amount] = [0, 0];
  for (const day of liveDays(days)) {
    const held = day.micros("open_value_usd");
    const unrealized = lessMicros(held, day.micros("open_cost_usd"));
    const total = lessMicros(day.micros("realized_total_usd"), day.micros("fee_total_usd"));
    const equity = addMicros(total, unrealized);
    peak = larger(peak, equity);
    const date = day.number("day");
    if (date >= since) {
      const at = bucketOf(date);
      if (candle !== undefined && candle.at !== at) yield rowOf(wallet, candle);
      if (candle?.at !== at) candle = opened(at, before);
      candle.high = larger(candle.high, equity);
      candle.low = smaller(candle.low, equity);
      candle.close = equity;
      const fee = day.micros("fee_usd");
      candle.realized = addMicros(candle.realized, lessMicros(day.micros("realized_usd"), fee));
      candle.fees = addMicros(candle.fees, fee);
      candle.unrealized = unrealized;
      candle.held = held;
      candle.peak = peak;
      candle.deepest = larger(candle.deepest, lessMicros(peak, equity));
      candle.fills += day.number("buys") + day.number("sells");
    }
    before = equity;
  }
  if (candle !== undefined) yield rowOf(wallet, candle);
}

const opened = (at: number, open: Amount): Candle => ({
  at,
  open,
  high: open,
  low: open,
  close: open,
  realized: 0,
  fees: 0,
  unrealized: 0,
  held: 0,
  peak: 0,
  deepest: 0,
  fills: 0,
});

const rowOf = (wallet: string, candle: Candle): MadeRow => ({
  at: candle.at,
  values: () => ({
    candle_time: candle.at,
    proxy_wallet: wallet,
    open: candle.open,
    high: candle.high,
    low: candle.low,
    close: candle.close,
    pnl: lessMicros(candle.close, candle.open),
    realized_pnl: candle.realized,
    unrealized_pnl: candle.unrealized,
    open_value: candle.held,
    peak: candle.peak,
    drawdown: lessMicros(candle.peak, candle.close),
    max_drawdown: candle.deepest,
    trades: candle.fills,
    fees: candle.fees,
  }),
});

/** Dataset 1003 from the days of the serving index. */
export const servedEquity: Omit<ServedKeyed, "order"> = {
  tables: [servedWalletDays],
  search: (p: Requested) => {
    const bucketOf = BUCKET_OF[String(p.interval?.value)];
    if (p.proxy_wallet === undefined || bucketOf === undefined) return undefined;
    const since = p.start_time ? dayOf(p.start_time) : 0;
    const span = { from: 0, to: p.end_time ? dayOf(p.end_time) : LAST_SECOND };
    return {
      keys: p.proxy_wallet.value as readonly string[],
      from: 0,
      rows: (wallet, { rows }) => candlesOf(wallet, rows(servedWalletDays, "wallet", wallet, span), bucketOf, since),
      isBackward: p.start_time === undefined,
    };
  },
};
