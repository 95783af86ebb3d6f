import type { Client } from "@almanac/client";
import { createContext } from "react";
import { batchAsks } from "../../read/batch-asks.ts";
import { toPixelNumber } from "../../read/to-pixel-number.ts";

const EQUITY = 1003;
const [WALLETS, AT_ONCE, GATHER_MS] = [10, 2, 60];

type EquityRow = { readonly candle_time: string; readonly proxy_wallet: string; readonly close: string };
type AskEquity = (wallet: string) => Promise<readonly number[]>;

/** Asks for the equity of one wallet of the leaderboard that is shown. */
export const EquityContext = createContext<AskEquity | undefined>(undefined);

/** Equity of wallets over the days that end at a day, ten wallets to an ask. */
export function equityAsks(client: Client, days: number, lastDay: string): AskEquity {
  const interval = days > 60 ? "1w" : "1d";
  const buckets = Math.ceil(days / (interval === "1w" ? 7 : 1)) + 1;
  const start = new Date(Date.parse(lastDay) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const askMany = async (wallets: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> => {
    const { results } = await client.ask<EquityRow>(
      EQUITY,
      { proxy_wallet: wallets.join(","), interval, start_time: start, end_time: lastDay },
      { limit: Math.min(1000, wallets.length * buckets) },
    );
    const byWallet = Map.groupBy(results, (row) => row.proxy_wallet);
    return new Map([...byWallet].map(([wallet, rows]) => [wallet, rows.map(({ close }) => toPixelNumber(close) ?? 0)]));
  };
  return batchAsks(askMany, [], { most: WALLETS, atOnce: AT_ONCE, gatherMs: GATHER_MS });
}
