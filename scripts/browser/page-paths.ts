import type { KnownThings } from "./known-things.ts";

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
