import { CALM_LOOKS, JUMP_MS, LEAST_JUMPED_MS, look, MOST_JUMPED_MS, type Looking } from "../campaign/settle-run.ts";
import type { Life } from "./life.ts";
import type { SimClock } from "./sim-clock.ts";
import { aside } from "./sim-machine.ts";

type Settling = Omit<Looking, "service"> & {
  readonly clock: SimClock;
  readonly life: Life;
  /** Until then (Unix ms) something comes with time alone. */
  readonly leastUntilMs: number;
};

/** Of each jump so much goes by step by step: by then a walk over the books that waits for its budget is at its end. */
const AWAKE_MS = 6_000;
/** The serving index has so long, of real time, to have what the store has. */
const LONGEST_BEHIND_MS = 10_000;
const INDEX_LOOK_MS = 5;

/**
 * Gives the service simulated time while the world stands still. Ends when all is stored and called complete, or when
 * the time is over; what it still waits for then.
 */
export async function settleLife({ clock, life, leastUntilMs, ...seen }: Settling): Promise<readonly string[]> {
  let waiting: readonly string[] = ["nothing was looked at"];
  let calm = 0;
  const leastMs = Math.max(LEAST_JUMPED_MS, leastUntilMs - clock.now());
  for (let jumped = 0; jumped < MOST_JUMPED_MS; jumped += JUMP_MS) {
    if (calm >= CALM_LOOKS && jumped >= leastMs) break;
    await jumpOn(clock);
    // While nothing is known to be missing, only what comes with time is waited for.
    if (jumped + JUMP_MS < leastMs - CALM_LOOKS * JUMP_MS) continue;
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

/** Goes on by a jump. What repeats itself comes a few times in it, as on a machine that sleeps between. */
export async function jumpOn(clock: SimClock): Promise<void> {
  await clock.jump(JUMP_MS - AWAKE_MS);
  await clock.runTo(clock.now() + AWAKE_MS);
}

/** Its thread is real, and waits by the simulated clock when something failed. */
async function untilIndexed(life: Life): Promise<string[]> {
  const until = performance.now() + LONGEST_BEHIND_MS;
  for (;;) {
    await life.rest();
    await aside(() => new Promise((resolve) => setTimeout(resolve, INDEX_LOOK_MS)));
    const late = [...life.indexes.status()].filter(([, { behindMs }]) => behindMs > 0).map(([table]) => table);
    if (late.length === 0) return [];
    if (performance.now() > until) return [`the index is behind with ${late.join(", ")}`];
  }
}
