import { CALM_LOOKS, JUMP_MS, MIN_JUMPED_MS, look, MAX_JUMPED_MS, type Looking } from "../campaign/settle-run.ts";
import type { Life } from "./life.ts";
import type { SimClock } from "./sim-clock.ts";
import { aside } from "./sim-machine.ts";

type Settling = Omit<Looking, "service"> & {
  readonly clock: SimClock;
  readonly life: Life;
  /** Settling lasts at least until then (Unix ms): some rows come only with time. */
  readonly minUntilMs: number;
};

/** The last part of each jump runs event by event, so that a walk over the books waiting for its budget completes. */
const AWAKE_MS = 6_000;
/** Real time for the serving index to catch up with the store. */
const MAX_BEHIND_MS = 10_000;
const INDEX_LOOK_MS = 5;

/**
 * Gives the service simulated time while the world is paused. Ends when all is stored and reported complete, or at the
 * timeout; returns what is still pending then.
 */
export async function settleLife({ clock, life, minUntilMs, ...seen }: Settling): Promise<readonly string[]> {
  let waiting: readonly string[] = ["nothing was looked at"];
  let calm = 0;
  const minMs = Math.max(MIN_JUMPED_MS, minUntilMs - clock.now());
  for (let jumped = 0; jumped < MAX_JUMPED_MS + minMs - MIN_JUMPED_MS; jumped += JUMP_MS) {
    if (calm >= CALM_LOOKS && jumped >= minMs) break;
    await jumpOn(clock);
    // Checks begin only near the least time: until then nothing but time is waited for.
    if (jumped + JUMP_MS < minMs - CALM_LOOKS * JUMP_MS) continue;
    const status = await clock.runUntil(life.ingest.status());
    await life.rest();
    const isPastGathered = life.isPastGathered();
    const service = { status: async () => ({ status, isPastGathered }) };
    waiting = (await aside(() => look({ ...seen, service }))).missing;
    calm = waiting.length === 0 ? calm + 1 : 0;
  }
  const behind = await untilIndexed(life);
  return [...waiting, ...behind];
}

/** Advances by a jump. Periodic work runs a few times in it, as on a machine that sleeps between. */
export async function jumpOn(clock: SimClock): Promise<void> {
  await clock.jump(JUMP_MS - AWAKE_MS);
  await clock.runTo(clock.now() + AWAKE_MS);
}

/** The index thread is real, but waits by the simulated clock after a failure. */
async function untilIndexed(life: Life): Promise<string[]> {
  const until = performance.now() + MAX_BEHIND_MS;
  for (;;) {
    await life.rest();
    await aside(() => new Promise((resolve) => setTimeout(resolve, INDEX_LOOK_MS)));
    const late = [...life.indexes.status()].filter(([, { behindMs }]) => behindMs > 0).map(([table]) => table);
    if (late.length === 0) return [];
    if (performance.now() > until) return [`the index is behind with ${late.join(", ")}`];
  }
}
