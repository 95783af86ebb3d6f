import type { ReplayedPage } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { batchCandlesReply, candlesReply } from "./candle-reply.ts";
import { toCandle } from "./to-candle.ts";

/** Candles of a parked page: of many markets, or of the one in its path. Pages of the list of markets have none. */
export function readCandles({ path, read }: ReplayedPage): InsertRow[] {
  if (path.startsWith("/markets/candlesticks")) {
    return (read(batchCandlesReply).markets ?? []).flatMap((market) =>
      (market.candlesticks ?? []).map((candle) => toCandle(market.market_ticker, 1, candle)),
    );
  }
  const [, ticker] = /\/markets\/([^/?]+)\/candlesticks/.exec(path) ?? [];
  if (ticker === undefined) return [];
  const { candlesticks } = read(candlesReply);
  return (candlesticks ?? []).map((candle) => toCandle(decodeURIComponent(ticker), 1, candle));
}
