import { setTimeout as sleep } from "node:timers/promises";
import { fillsOf } from "../../../../scripts/verify/fills.ts";
import { countRows } from "../../../../scripts/verify/settle.ts";
import type { World } from "../../../exchange/src/world/world.ts";
import { connectors } from "../../src/catalogue.ts";
import { findLive } from "../../src/ingest/control/live-record.ts";
import { readStatus } from "../../src/ingest/status/read-status.ts";
import type { Engines } from "../../src/main/open-engines.ts";
import type { Records } from "../../src/records/records.ts";

const LOOK_MS = 500;
/** Nothing depends on it, and in a paused world it is silent. */
const EARLY = "polymarket-trades-rtds";
/** The derivation that is compared. Others restart whenever a book is polled, which on a busy machine is always. */
const COMPARED = "polymarket-candles";
const ASIDE = new Set(["off", "replaced", "caught_up"]);

/**
 * Waits, while the world is paused, until all is stored and the gathering process has since reported that nothing is
 * left to do. Returns what is still pending when the time is over.
 */
export async function settleWorld(
  world: World,
  { store, records }: Pick<Engines, "store" | "records">,
  withinMs: number,
): Promise<readonly string[]> {
  const until = Date.now() + withinMs;
  let storedAt: number | undefined;
  for (;;) {
    const short = await findShortTables(world, store).catch((error: unknown) => [String(error)]);
    if (short.length > 0) storedAt = undefined;
    else storedAt ??= Date.now();
    const waiting = storedAt === undefined ? short : await readWaiting(records, storedAt);
    if (waiting.length === 0) return [];
    if (Date.now() > until) return waiting;
    await sleep(LOOK_MS);
  }
}

async function findShortTables(world: World, store: Engines["store"]): Promise<string[]> {
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

/** Describes what streams and derivations still wait for according to reports since then, a sentence each. */
async function readWaiting({ db }: Records, since: number): Promise<string[]> {
  const said = await db.selectFrom("live_status").select("process").where("written_at", ">", new Date(since)).execute();
  if (said.length === 0) return ["the service has not said how it is"];
  const now = Date.now();
  const live = await findLive(db, new Date(now));
  const status = await readStatus({ connectors, db, live, now, venueNow: now });
  const streams = status.streams
    .filter(({ name, state }) => !ASIDE.has(state) && name !== EARLY)
    .map(({ name, state, lastError }) => `${name} is ${state}${lastError === null ? "" : ` (${lastError})`}`);
  const buckets = status.derivations[COMPARED] ?? 0;
  const derivations = buckets > 0 ? [`${COMPARED} has ${buckets} buckets to do`] : [];
  const gaps = status.streams
    .filter(({ gaps: { fillable } }) => fillable > 0)
    .map(({ name, gaps: { fillable } }) => `${name} has ${fillable} gaps to fill`);
  return [...streams, ...derivations, ...gaps];
}
