import { createContext, useContext, type ReactElement } from "react";
import { batchAsks } from "../../read/batch-asks.ts";
import type { useAsk } from "../../read/dataset-queries.ts";
import { toPixelNumber } from "../../read/exact-figures.ts";
import { useQuery } from "@tanstack/react-query";
import { Sparkline } from "../../charts/sparkline.tsx";
import { shortHex } from "../../read/value-text.ts";
import { useIsSeen } from "../../read/use-is-seen.ts";

const EQUITY = 1003;
const [WALLETS, AT_ONCE, GATHER_MS, MAX_ROWS] = [10, 2, 60, 1000];

type EquityRow = { readonly candle_time: string; readonly proxy_wallet: string; readonly close: string };
type AskEquity = (wallet: string) => Promise<readonly number[]>;

/** Requests the equity of one wallet of the shown leaderboard. */
export const EquityContext = createContext<AskEquity | undefined>(undefined);

type Asking = Pick<ReturnType<typeof useAsk>, "ask" | "limitOf">;

/** Equity of wallets over the `days` that end at `lastDay`, in batches of ten wallets or as many as fit into a page. */
export function equityAsks({ ask, limitOf }: Asking, days: number, lastDay: string): AskEquity {
  const start = new Date(Date.parse(lastDay) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const room = limitOf(EQUITY, MAX_ROWS);
  const most = Math.max(1, Math.min(WALLETS, Math.floor(room / days)));
  const askMany = async (wallets: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> => {
    const { results } = await ask<EquityRow>(
      EQUITY,
      { proxy_wallet: wallets.join(","), interval: "1d", start_time: start, end_time: lastDay },
      { limit: Math.min(room, wallets.length * days) },
    );
    const byWallet = Map.groupBy(results, (row) => row.proxy_wallet);
    return new Map([...byWallet].map(([wallet, rows]) => [wallet, rows.map(({ close }) => toPixelNumber(close) ?? 0)]));
  };
  return batchAsks(askMany, [], { most, atOnce: AT_ONCE, gatherMs: GATHER_MS });
}

/** A wallet's equity as a sparkline, requested when its row is visible. `of` keys the cache by board and window. */
export function EquityCell({ wallet, of }: { readonly wallet: string; readonly of: string }): ReactElement {
  const [box, isSeen] = useIsSeen<HTMLDivElement>();
  const ask = useContext(EquityContext);
  const { data, isError } = useQuery({
    queryKey: ["equity", of, wallet],
    queryFn: () => (ask === undefined ? [] : ask(wallet)),
    enabled: isSeen && ask !== undefined,
    retry: false,
    staleTime: 5 * 60_000,
  });
  return (
    <div ref={box} className="h-7 w-28">
      {isError ? <span className="text-xs text-ink-faint">failed to load</span> : null}
      {data && data.length > 1 ? <Sparkline label={`Equity of ${shortHex(wallet)}, USD`} values={data} /> : null}
      {data && data.length < 2 ? <span className="text-xs text-ink-faint">one day</span> : null}
    </div>
  );
}
