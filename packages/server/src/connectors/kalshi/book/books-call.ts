import type { Call } from "../../../definition/connector.ts";
import { kalshiCall } from "../wire/kalshi-call.ts";

/** What one call of `booksCall` may ask for. */
export const MOST_BOOKS = 100;

/** Asks for books. The parameter is repeated: of a comma-joined value the venue answers one book only. */
export function booksCall(tickers: readonly string[], absentOn: readonly number[] = []): Call {
  const query = tickers.map((ticker): [string, string] => ["tickers", ticker]);
  return { ...kalshiCall("/markets/orderbooks", {}, absentOn), query };
}
