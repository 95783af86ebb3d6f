import type { InsertRow } from "../../src/definition/table.ts";
import type { Store } from "../../src/store/store.ts";
import { bookQuotes } from "../../src/tables/book-quotes.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import type { Minute } from "./reference-changes.ts";

const candle = (token_id: string, { minute, close = 0, shares }: Minute): InsertRow => {
  const price = close.toFixed(6);
  return {
    token_id,
    minute,
    open: price,
    high: price,
    low: price,
    close: price,
    price_sum: price,
    volume: shares.toFixed(6),
    volume_usd: (shares * close).toFixed(6),
    trade_count: 1,
  };
};

/** Quotes one cent on either side of the midpoint. */
const quote = (instrument: string, { minute, mid = 0 }: Minute): InsertRow => {
  const [bid, ask] = [(mid - 0.01).toFixed(6), (mid + 0.01).toFixed(6)];
  const sides = { bid_open: bid, bid_high: bid, bid_low: bid, bid_close: bid };
  return { instrument, minute, ...sides, ask_open: ask, ask_high: ask, ask_low: ask, ask_close: ask };
};

/** Stores a token's minutes as the derivations of candles and quotes would. */
export async function storeMinutes(store: Store, token: string, minutes: readonly Minute[]): Promise<void> {
  const traded = minutes.filter(({ close }) => close !== undefined);
  const quoted = minutes.filter(({ mid }) => mid !== undefined);
  if (traded.length > 0)
    await store.insert(
      polymarketCandles,
      traded.map((minute) => candle(token, minute)),
    );
  if (quoted.length > 0)
    await store.insert(
      bookQuotes,
      quoted.map((minute) => quote(token, minute)),
    );
}
