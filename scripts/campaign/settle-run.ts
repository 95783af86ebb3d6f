import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../packages/exchange/src/world/world.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { Ask } from "../verify/ask.ts";
import { countRows } from "../verify/settle.ts";
import type { MachineClock } from "./machine-clock.ts";
import type { ServiceProcess } from "./service-process.ts";

export type Settling = Looking & { readonly clock: MachineClock; readonly service: ServiceProcess };

type Told = Pick<NonNullable<Awaited<ReturnType<ServiceProcess["status"]>>>, "status" | "isPastGathered">;

/** What is looked at to tell whether a service has settled. */
export type Looking = {
  readonly world: World;
  readonly service: { readonly status: () => Promise<Told | undefined> };
  readonly store: OpenStore;
  readonly ask: Ask;
  /** Second looks must have passed this moment, the end of the faults. */
  readonly lookedMs: number;
  /** How many fills there are. */
  readonly fills: number;
};

/** Below the silence after which a socket counts as frozen: heartbeats are answered between two jumps. */
export const JUMP_MS = 20_000;
/** Beside the jumps: at the speed of the run a heartbeat that a busy machine answers late would be missed. */
const RATE = 3;
const LOOK_MS = 60;
/** A lost last message of a book is found when all books are compared over REST: each minute, by two looks. */
export const LEAST_JUMPED_MS = 160_000;
/** Longer than the slowest full walk of a catalogue waits (15 minutes). */
export const MOST_JUMPED_MS = 1_100_000;
/** Of real time. */
const LONGEST_MS = 30_000;
/** While the past is still being gathered: on a busy machine that takes its time, and what is asked then is not there yet. */
const LONGEST_PAST_MS = 180_000;
/** Where only second looks are waited for: what they would find is not lost yet. */
const LONGEST_LOOKS_MS = 60_000;
export const CALM_LOOKS = 2;
/** A stream that is at work for so long may wait for something that only comes with time: real ms. */
const LONGEST_BUSY_MS = 3000;
/** Nothing hangs on it, and in a world that stands still it is silent. */
const EARLY = "polymarket-trades-rtds";
/** They look a second time, some minutes of the venue's time later, and find what a page passed over took away. */
const SECOND_LOOKS = new Set(["kalshi-trades-check", "polymarket-trades-data-check"]);

/**
 * Gives the service time while the world stands still: whenever its streams rest its machine's clock is moved on, so
 * that what it does every ten minutes comes within seconds. Ends when all is stored and called complete, or when the
 * time is over; what it still waits for then.
 */
export async function settleRun(run: Settling): Promise<readonly string[]> {
  const began = performance.now();
  run.service.follow(run.clock.hurry(RATE));
  let waiting: readonly string[] = ["nothing was looked at"];
  let calm = 0;
  let longestMs = LONGEST_MS;
  let restedAt = began;
  for (let jumped = 0; jumped < MOST_JUMPED_MS && performance.now() - began < longestMs;) {
    await sleep(LOOK_MS);
    const { isBusy, missing, longestMs: longest } = await look(run);
    [waiting, longestMs] = [missing, longest];
    calm = waiting.length === 0 ? calm + 1 : 0;
    if (calm >= CALM_LOOKS && jumped >= LEAST_JUMPED_MS) return [];
    // A call in flight would count as slow, and the service would ease off.
    if (isBusy && performance.now() - restedAt < LONGEST_BUSY_MS) continue;
    restedAt = performance.now();
    run.service.follow(run.clock.jump(JUMP_MS));
    jumped += JUMP_MS;
  }
  return waiting;
}

type Looked = {
  readonly isBusy: boolean;
  readonly missing: readonly string[];
  readonly longestMs: number;
};

/** Looks once. */
export async function look(run: Looking): Promise<Looked> {
  const told = await run.service.status();
  if (told === undefined) throw new Error("the service ended while it was given time");
  const streams = told.status.streams
    .filter(({ name, state }) => state !== "off" && state !== "replaced" && state !== "caught_up" && name !== EARLY)
    .map(({ name, state, lastError }) => `${name} is ${state}${lastError === null ? "" : ` (${lastError})`}`);
  const derivations = Object.entries(told.status.derivations)
    .filter(([, buckets]) => buckets > 0)
    .map(([name, buckets]) => `${name} has ${buckets} buckets to do`);
  const past = told.isPastGathered ? [] : ["the past is not gathered"];
  const judgedTo = new Date(run.lookedMs).toISOString();
  const looks = told.status.streams
    .filter(({ name, state, reached }) => {
      const isUsed = SECOND_LOOKS.has(name) && state !== "off" && state !== "replaced";
      return isUsed && (reached === null || reached < judgedTo);
    })
    .map(({ name, reached }) => `${name} has looked to ${reached ?? "nowhere"} of ${judgedTo}`);
  const soFar = [...streams, ...derivations, ...past, ...looks];
  const isStreaming = told.status.streams.some(({ state }) => state === "running");
  const isBusy = isStreaming || derivations.length > 0 || past.length > 0;
  const isForLooks = looks.length > 0 && looks.length === soFar.length;
  const longestMs = past.length > 0 ? LONGEST_PAST_MS : isForLooks ? LONGEST_LOOKS_MS : LONGEST_MS;
  const missing = soFar.length > 0 ? soFar : [...(await shortTables(run)), ...(await incomplete(run))];
  return { isBusy, missing, longestMs };
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

/** What is asked for begins inside the world: before its first block there is nothing. */
const A_MINUTE_MS = 60_000;

async function incomplete({ ask, world }: Looking): Promise<string[]> {
  const start_time = String(world.start_ms + A_MINUTE_MS);
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
