import { setTimeout as sleep } from "node:timers/promises";
import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import type { Running } from "./scene.ts";

const EVERY_MS = 400;
/** Number of consecutive checks without a change: longer than the fast streams wait between two cycles. */
const CALM_LOOKS = 12;
/** Minimum for a service with `expedite`, whose cycles themselves take as long as any other's. */
const MIN_LOOKS = 6;
const COUNTED = [
  "polymarket_fills",
  "polymarket_position_changes",
  "polymarket_transfers",
  "kalshi_trades",
  "book_events",
  "polymarket_markets",
  "kalshi_markets",
];

/** One query: a separate query for each table would cost the engine more than the work that is waited for. */
const COUNTS = fromDefinition(
  `SELECT name, n FROM (${COUNTED.map((table) => `SELECT '${table}' AS name, count() AS n FROM ${table}`).join(" UNION ALL ")}) ORDER BY name`,
);

/**
 * Waits, while the world is paused, until every stream is caught up and no more rows are stored or derived. A stream
 * that has been caught up since the last row may run again: with many streams in `expedite` one always does.
 */
export async function settle(running: Running, withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  const calmLooks = Math.max(MIN_LOOKS, Math.ceil(CALM_LOOKS / running.expedite));
  let calm = 0;
  let before = "";
  let waiting: readonly string[] = [];
  const rested = new Set<string>();
  while (calm < calmLooks) {
    if (Date.now() > until) throw new Error(`not settled within ${withinMs} ms: ${waiting.join(", ")}`);
    await sleep(EVERY_MS);
    const { streams, derivations } = await lookAt(running);
    const counts = JSON.stringify(await running.store.rows(COUNTS));
    if (counts !== before) rested.clear();
    else for (const { name, state } of streams) if (state === "caught_up") rested.add(name);
    const late = streams.filter(
      ({ name, state }) => !(AT_REST.has(state) || (state === "running" && rested.has(name))),
    );
    waiting = [...late.map(({ says }) => says), ...derivations];
    calm = waiting.length === 0 && counts === before ? calm + 1 : 0;
    before = counts;
  }
}

const AT_REST: ReadonlySet<string> = new Set(["off", "replaced", "caught_up"]);

/** States of all streams, and the derivations with work left. */
async function lookAt({ service }: Running) {
  const status = await service.ingest?.status();
  if (status === undefined) throw new Error("the service gathers nothing");
  const streams = status.streams.map(({ name, state, lastError }) => ({
    name,
    state,
    says: `${name} is ${state}${lastError === null ? "" : ` (${lastError})`}`,
  }));
  const derivations = Object.entries(status.derivations)
    .filter(([, buckets]) => buckets > 0)
    .map(([name, buckets]) => `${name} has ${buckets} buckets to do`);
  return { streams, derivations };
}

export async function countRows({ store }: Pick<Running, "store">, table: string, where = "1"): Promise<number> {
  const [row] = await store.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${table} WHERE ${where}`));
  return Number(row?.n);
}
