import { addMicros, lessMicros } from "../../definition/micros.ts";
import type { Amount, FoldedWallet } from "../wallet/folded-wallet.ts";

/** A wallet's activity in one market, or in several. */
export type MarketSums = {
  pnl: Amount;
  bought: Amount;
  buys: number;
  sells: number;
  wins: number;
  losses: number;
};

export type Market = Readonly<MarketSums> & {
  /** 0x-hex; zeros if the market is unknown. */
  readonly condition: string;
};

export type Ended = { readonly gained: Amount; readonly lost: Amount };

const UNKNOWN = `0x${"0".repeat(64)}`;

export const noSums = (): MarketSums => ({ pnl: 0, bought: 0, buys: 0, sells: 0, wins: 0, losses: 0 });

export function addSums(into: MarketSums, more: Readonly<MarketSums>): void {
  into.pnl = addMicros(into.pnl, more.pnl);
  into.bought = addMicros(into.bought, more.bought);
  into.buys += more.buys;
  into.sells += more.sells;
  into.wins += more.wins;
  into.losses += more.losses;
}

/** The markets (conditions) that a wallet touched from a day on, and the gains and losses of positions that ended. */
export function marketsSince({ tokenDays, ended }: FoldedWallet, since: number): { markets: Market[]; ended: Ended } {
  const sums = new Map<string, MarketSums & { readonly condition: string }>();
  const of = (known: string): MarketSums => {
    const condition = known === "" ? UNKNOWN : known;
    let found = sums.get(condition);
    if (found === undefined) sums.set(condition, (found = { condition, ...noSums() }));
    return found;
  };
  for (const { day, condition, buys, sells, bought, fee, realized } of tokenDays) {
    if (day < since) continue;
    addSums(of(condition), { pnl: lessMicros(realized, fee), bought, buys, sells, wins: 0, losses: 0 });
  }
  let [gained, lost]: [Amount, Amount] = [0, 0];
  for (const { day, condition, wins, losses, ...end } of ended) {
    if (day < since) continue;
    const market = of(condition);
    market.wins += wins;
    market.losses += losses;
    gained = addMicros(gained, end.gained);
    lost = addMicros(lost, lessMicros(end.gained, end.pnl));
  }
  return { markets: [...sums.values()], ended: { gained, lost } };
}
