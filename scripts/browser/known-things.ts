import type { ConsoleClient } from "./console-client.ts";

/** Ids that exist in the paper world, named as the parameters are. */
export type KnownThings = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly ticker: string;
  readonly wallet: string;
};

/** Number of trades to choose from. */
const NEWEST = 200;
/** Number of prints to read for those trades' tokens. */
const NEWEST_PRINTS = 1000;

type Row = Readonly<Record<string, unknown>>;

/**
 * A market, a token, a wallet and a ticker that have traded, as the service returns them: from the newest trade of a
 * token that has prints (which come over sockets alone), and the ticker that traded last. `choice` 1, 2, … takes others
 * of the newest such tokens and tickers, since the one that traded last may have opened just now and have no candle
 * yet.
 */
export async function findThings(console: ConsoleClient, choice = 0): Promise<KnownThings> {
  const printed = await findPrinted(console, choice + 1);
  const trade = printed[choice % Math.max(1, printed.length)];
  const reported = await console.ask(573, { start_time: "2020-01-01" }, NEWEST);
  const tickers = [...new Set(reported.map((row) => textOf(row, "ticker")))];
  return {
    token_id: textOf(trade, "token_id"),
    condition_id: textOf(trade, "condition_id"),
    wallet: textOf(trade, "proxy_wallet"),
    ticker: textOf({ ticker: tickers[choice % Math.max(1, tickers.length)] }, "ticker"),
  };
}

/** The newest trades of up to `most` tokens that have prints, one per token. */
export async function findPrinted(console: ConsoleClient, most: number): Promise<readonly Row[]> {
  const trades = await console.ask(556, {}, NEWEST);
  if (trades.length === 0) return [];
  const each = new Map(trades.toReversed().map((trade) => [String(trade["token_id"]), trade]));
  // One request for all of them: most tokens of a quiet world have no prints, and each would cost a request.
  const prints = await console.ask(1103, { token_id: [...each.keys()].join(",") }, NEWEST_PRINTS);
  const printed = new Set(prints.map((print) => String(print["token_id"])));
  return [...each]
    .toReversed()
    .filter(([token]) => printed.has(token))
    .slice(0, most)
    .map(([, trade]) => trade);
}

function textOf(row: Row | undefined, field: string): string {
  const found = row?.[field];
  if (typeof found !== "string" || found === "") throw new Error(`no ${field} in ${JSON.stringify(row)}`);
  return found;
}

/** One path for each page of the dashboard, with ids that exist in this world. */
export function pagePaths({ condition_id, ticker, wallet }: KnownThings): string[] {
  return [
    "/",
    "/explore",
    "/explore/polymarket-trades?_limit=50",
    "/explore/polymarket-markets?_limit=50",
    "/search?q=will",
    "/leaderboards",
    "/leaderboards?board=score",
    `/markets/polymarket/${condition_id}`,
    `/markets/kalshi/${ticker}`,
    `/books/polymarket/${condition_id}`,
    `/books/kalshi/${ticker}`,
    `/wallets/${wallet}`,
    "/keys",
    "/usage",
    "/users",
    "/audit",
    "/password",
    "/operator/streams",
    "/operator/store",
    "/operator/parked",
    "/operator/accounts",
    "/operator/plans",
    "/no/such/page",
  ];
}
