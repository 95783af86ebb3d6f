import { setTimeout as sleep } from "node:timers/promises";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { fillsOf } from "../verify/fills.ts";
import { countRows } from "../verify/settle.ts";
import { readWaiting } from "./read-waiting.ts";
import type { Topology } from "./topology.ts";

const LOOK_MS = 500;
const CALM_LOOKS = 2;

/** Waits, while the world stands still, until all is stored and worked out; what is still waited for when the time is over. */
export async function settleWorld(topology: Topology, store: OpenStore, withinMs: number): Promise<readonly string[]> {
  const until = Date.now() + withinMs;
  let calm = 0;
  let waiting: readonly string[] = [];
  while (calm < CALM_LOOKS) {
    if (Date.now() > until) return waiting;
    await sleep(LOOK_MS);
    waiting = await look(topology, store).catch((error: unknown) => [String(error)]);
    calm = waiting.length === 0 ? calm + 1 : 0;
  }
  return [];
}

async function look({ exchange: { world }, records }: Topology, store: OpenStore): Promise<string[]> {
  const waiting = await readWaiting(records);
  if (waiting.length > 0) return waiting;
  const wanted: Record<string, number> = {
    polymarket_fills: fillsOf(world, "chain").length,
    kalshi_trades: world.kalshi.trades.length,
    "polymarket_markets FINAL": world.polymarket.markets.length,
    "kalshi_markets FINAL": world.kalshi.markets.length,
  };
  const short = await Promise.all(
    Object.entries(wanted).map(async ([table, count]) => {
      const found = await countRows({ store }, table);
      return found === count ? [] : [`${table} holds ${found} of ${count} rows`];
    }),
  );
  return short.flat();
}
