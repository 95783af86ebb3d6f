import { setTimeout as sleep } from "node:timers/promises";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { fillsOf } from "../verify/fills.ts";
import { countRows } from "../verify/settle.ts";
import type { Part } from "./part.ts";
import { readWaiting } from "./read-waiting.ts";
import type { Topology } from "./topology.ts";

type Settled = Pick<Topology, "records"> & {
  readonly exchange: Pick<Topology["exchange"], "world">;
  readonly services: readonly Pick<Part, "name">[];
};

const LOOK_MS = 500;

/**
 * Waits, while the world stands still, until all is stored, and then until every process that gathers has said since
 * that nothing is left to do; what is still waited for when the time is over.
 */
export async function settleWorld(topology: Settled, store: OpenStore, withinMs: number): Promise<readonly string[]> {
  const until = Date.now() + withinMs;
  let storedAt: number | undefined;
  for (;;) {
    const short = await findShortTables(topology, store).catch((error: unknown) => [String(error)]);
    if (short.length > 0) storedAt = undefined;
    else storedAt ??= Date.now();
    const waiting = storedAt === undefined ? short : await look(topology, storedAt);
    if (waiting.length === 0) return [];
    if (Date.now() > until) return waiting;
    await sleep(LOOK_MS);
  }
}

function look({ records, services }: Settled, since: number): Promise<string[]> {
  const working = services.filter(({ name }) => !name.startsWith("api-")).length;
  return readWaiting(records, { since, processes: working }).catch((error: unknown) => [String(error)]);
}

async function findShortTables({ exchange: { world } }: Settled, store: OpenStore): Promise<string[]> {
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
