import type { KnownThings } from "../browser/known-things.ts";

export type Shot = {
  readonly name: string;
  readonly path: string;
  /** Also in dark mode, and on a phone. */
  readonly isMain?: boolean;
  /** Shown to a visitor who is not signed in. */
  readonly isOpen?: boolean;
};

/** Every page shown in docs/dashboard.md. */
export function shotsOf({ condition_id, ticker, wallet }: KnownThings): Shot[] {
  return [
    { name: "sign-in", path: "/sign-in", isOpen: true },
    { name: "overview", path: "/", isMain: true },
    { name: "explore", path: "/explore" },
    { name: "explore-dataset", path: "/explore/polymarket-trades?_limit=100", isMain: true },
    { name: "search", path: "/search?q=will" },
    { name: "market", path: `/markets/polymarket/${condition_id}`, isMain: true },
    { name: "market-kalshi", path: `/markets/kalshi/${ticker}` },
    { name: "book", path: `/books/polymarket/${condition_id}`, isMain: true },
    { name: "wallet", path: `/wallets/${wallet}`, isMain: true },
    { name: "leaderboards", path: "/leaderboards", isMain: true },
    { name: "keys", path: "/keys" },
    { name: "usage", path: "/usage" },
    { name: "users", path: "/users" },
    { name: "audit", path: "/audit" },
    { name: "operator-streams", path: "/operator/streams" },
    { name: "operator-store", path: "/operator/store" },
    { name: "operator-parked", path: "/operator/parked" },
    { name: "operator-accounts", path: "/operator/accounts" },
    { name: "operator-plans", path: "/operator/plans" },
    { name: "docs", path: "/docs", isOpen: true },
    { name: "docs-dataset", path: "/docs/datasets/polymarket-trades", isOpen: true },
  ];
}
