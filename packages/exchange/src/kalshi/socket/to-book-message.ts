import type { KalshiBookHappening, KalshiLevel, KalshiMarket } from "../../world/kalshi-contract.ts";
import { toCount } from "../reply/to-count.ts";
import { toDollars } from "../reply/to-dollars.ts";

/** Body of `orderbook_snapshot`; the key of an empty side is missing. `yesPrice` puts the NO side on the YES scale. */
export function toSnapshot(market: KalshiMarket, yesPrice: boolean) {
  const book = market.book();
  const no = yesPrice ? book.no.map((level) => ({ ...level, price_e4: 10_000 - level.price_e4 })) : book.no;
  return {
    market_ticker: market.ticker,
    market_id: market.market_id,
    ...(book.yes.length > 0 && { yes_dollars_fp: levels(book.yes) }),
    ...(no.length > 0 && { no_dollars_fp: levels(no) }),
  };
}

/** Body of `orderbook_delta`: a signed change. The price loses its last digit where that is 0 ("0.960"), as on the wire. */
export function toDelta(change: KalshiBookHappening, yesPrice: boolean) {
  const price = yesPrice && change.side === "no" ? 10_000 - change.price_e4 : change.price_e4;
  return {
    market_ticker: change.market.ticker,
    market_id: change.market.market_id,
    price_dollars: toDollars(price).replace(/0$/, ""),
    delta_fp: toCount(change.delta_cc),
    side: change.side,
    ts: new Date(change.ms).toISOString(),
    ts_ms: change.ms,
  };
}

function levels(list: KalshiLevel[]): [string, string][] {
  return list.map((level) => [toDollars(level.price_e4), toCount(level.size_cc)]);
}
