import { type KnownThings, findThings } from "../browser/known-things.ts";
import { openConsole, type Service } from "../browser/console-client.ts";

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

const text = (value: unknown, other: string): string => (typeof value === "string" && value !== "" ? value : other);

/** Subjects for screenshots: the largest open market, and the busiest of the wallets that earned most. */
export async function findShown(service: Service): Promise<KnownThings> {
  const console = await openConsole(service, service.admin);
  const known = await findThings(console);
  const [market] = await console.ask(574, { closed: "False" }, 1);
  const earners = await console.ask(579, {}, 50);
  const [best] = earners.toSorted((a, b) => Number(b["total_trades"]) - Number(a["total_trades"]));
  return {
    ...known,
    condition_id: text(market?.["condition_id"], known.condition_id),
    wallet: text(best?.["address"], known.wallet),
  };
}
