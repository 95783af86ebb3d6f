import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../packages/exchange/src/world/world.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { Ask } from "../verify/ask.ts";
import { countRows } from "../verify/settle.ts";
import type { MachineClock } from "./machine-clock.ts";
import type { ServiceProcess } from "./service-process.ts";
import { DATA_LAG_MS } from "../verify/fills.ts";

export type Settling = Looking & { readonly clock: MachineClock; readonly service: ServiceProcess };

type Reported = Pick<NonNullable<Awaited<ReturnType<ServiceProcess["status"]>>>, "status" | "isPastGathered">;

/** Inputs for checking whether a service has settled. */
export type Looking = {
  readonly world: World;
  readonly service: { readonly status: () => Promise<Reported | undefined> };
  readonly store: OpenStore;
  readonly ask: Ask;
  /** Check streams must have passed this time, the end of the faults. */
  readonly lookedMs: number;
  /** Expected number of fills. */
  readonly fills: number;
};

/** Below the silence after which a socket counts as frozen: heartbeats are answered between two jumps. */
export const JUMP_MS = 20_000;
/** Clock rate between jumps: at the run's rate a busy machine's late heartbeat answer would be missed. */
const RATE = 3;
const LOOK_MS = 60;
/** A book's lost last message is found when all books are compared over REST: each minute, by two comparisons. */
export const MIN_JUMPED_MS = 160_000;
/** Longer than the interval of the slowest full catalogue walk (15 minutes). */
export const MAX_JUMPED_MS = 1_100_000;
/** Real time. */
const MAX_MS = 30_000;
/** During backfill, which is slow on a busy machine: the data to compare is not there yet. */
const MAX_PAST_MS = 180_000;
/** When only check streams are pending: what they would find is not lost yet. */
const MAX_LOOKS_MS = 60_000;
export const CALM_LOOKS = 2;
/** A stream busy for this long may wait for something that only time brings: real ms. */
const MAX_BUSY_MS = 3000;
/** Nothing depends on it, and in a paused world it is silent. */
const EARLY = "polymarket-trades-rtds";
/** These check again some minutes of venue time later, and find rows that a skipped page lost. */
const SECOND_LOOKS = new Set(["kalshi-trades-check", "polymarket-trades-data-check"]);

/**
 * Lets the service settle while the world is paused: whenever its streams are idle its machine's clock is moved on, so
 * that ten-minute work comes within seconds. Ends when all is stored and reported complete, or at the timeout; returns
 * what is still pending then.
 */
export async function settleRun(run: Settling): Promise<readonly string[]> {
  const began = performance.now();
  run.service.follow(run.clock.expedite(RATE));
  let waiting: readonly string[] = ["nothing was looked at"];
  let calm = 0;
  let maxMs = MAX_MS;
  let restedAt = began;
  for (let jumped = 0; jumped < MAX_JUMPED_MS && performance.now() - began < maxMs;) {
    await sleep(LOOK_MS);
    const { isBusy, missing, maxMs: longest } = await look(run);
    [waiting, maxMs] = [missing, longest];
    calm = waiting.length === 0 ? calm + 1 : 0;
    if (calm >= CALM_LOOKS && jumped >= MIN_JUMPED_MS) return [];
    // A jump would make a call in flight look slow, and the service would back off.
    if (isBusy && performance.now() - restedAt < MAX_BUSY_MS) continue;
    restedAt = performance.now();
    run.service.follow(run.clock.jump(JUMP_MS));
    jumped += JUMP_MS;
  }
  return waiting;
}

type Looked = {
  readonly isBusy: boolean;
  readonly missing: readonly string[];
  readonly maxMs: number;
};

/** Checks once. */
export async function look(run: Looking): Promise<Looked> {
  const reported = await run.service.status();
  if (reported === undefined) throw new Error("the service ended while it was given time");
  const streams = reported.status.streams
    .filter(({ name, state }) => state !== "off" && state !== "replaced" && state !== "caught_up" && name !== EARLY)
    .map(({ name, state, lastError }) => `${name} is ${state}${lastError === null ? "" : ` (${lastError})`}`);
  const derivations = Object.entries(reported.status.derivations)
    .filter(([, buckets]) => buckets > 0)
    .map(([name, buckets]) => `${name} has ${buckets} buckets to do`);
  const past = reported.isPastGathered ? [] : ["the past is not gathered"];
  const judgedTo = new Date(run.lookedMs).toISOString();
  const looks = reported.status.streams
    .filter(({ name, state, reached }) => {
      const isUsed = SECOND_LOOKS.has(name) && state !== "off" && state !== "replaced";
      return isUsed && (reached === null || reached < judgedTo);
    })
    .map(({ name, reached }) => `${name} has looked to ${reached ?? "nowhere"} of ${judgedTo}`);
  const soFar = [...streams, ...derivations, ...past, ...looks];
  const isStreaming = reported.status.streams.some(({ state }) => state === "running");
  const isBusy = isStreaming || derivations.length > 0 || past.length > 0;
  const isForLooks = looks.length > 0 && looks.length === soFar.length;
  const maxMs = past.length > 0 ? MAX_PAST_MS : isForLooks ? MAX_LOOKS_MS : MAX_MS;
  const missing = soFar.length > 0 ? soFar : [...(await shortTables(run)), ...(await incomplete(run))];
  return { isBusy, missing, maxMs };
}

async function shortTables({ world, store, fills }: Looking): Promise<string[]> {
  const wanted: Record<string, number> = {
    polymarket_fills: fills,
    kalshi_trades: world.kalshi.trades.length,
    "polymarket_markets FINAL": world.polymarket.markets.length,
    "kalshi_markets FINAL": world.kalshi.markets.length,
  };
  const short = await Promise.all(
    Object.entries(wanted).map(async ([table, count]) => {
      const found = await countRows({ store }, table);
      return found === count ? undefined : `${table} holds ${found} of ${count} rows`;
    }),
  );
  return short.filter((text) => text !== undefined);
}

/** Queries begin inside the world: there is nothing before its first block. */
const MINUTE_MS = 60_000;

async function incomplete({ ask, world }: Looking): Promise<string[]> {
  const start_time = String(world.start_ms + MINUTE_MS);
  const questions = [
    [556, { start_time }],
    [573, { start_time }],
  ] as const;
  const answers = await Promise.all(
    questions.map(async ([agentId, params]) => {
      const { coverage } = await ask(agentId, params, { limit: 1 });
      return coverage.complete ? undefined : `${agentId} is not complete: ${coverage.reasons?.join(" ")}`;
    }),
  );
  return answers.filter((text) => text !== undefined);
}

/** The Data API check stream trails its newest fill by three minutes, and that fill's second must be over. */
const BEHIND_MS = 181_000;
/** Minutes may pass between two fills in a quiet world; a run waits for one no longer than this. */
export const MAX_CALM_MS = 1_200_000;

/**
 * Whether the world has a fill recent enough for the Data API check stream to pass both `ms` and the first fill, at
 * which the stream begins.
 */
export function canLookTo(ms: number, world: World): boolean {
  const visibleMs = world.reached() - DATA_LAG_MS;
  const { matches } = world.polymarket;
  const newest = matches.findLast(({ block_ms }) => block_ms <= visibleMs);
  return newest !== undefined && newest.block_ms - BEHIND_MS >= Math.max(ms, matches[0]?.block_ms ?? ms);
}
