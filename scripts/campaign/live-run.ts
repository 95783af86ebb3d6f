import { setTimeout as sleep } from "node:timers/promises";
import type { ServedExchange } from "../../packages/exchange/src/serve.ts";
import { BookHistory } from "../verify/book-history.ts";
import { FaultWatch, type FaultCounts } from "./fault-watch.ts";
import type { MachineClock } from "./machine-clock.ts";
import type { RunPlan } from "./run-plan.ts";
import type { ServiceLives } from "./service-lives.ts";

/** Extra time that the world runs for faults that did not strike yet; machine time. */
const WAIT_FOR_FAULTS_MS = 120_000;
/** Time for the service's first process to ingest existing data and follow the books; real ms. */
const MAX_GATHER_MS = 8000;
const LOOK_MS = 100;
/** Time for messages already sent to arrive. */
const STANDING_MS = 150;
const BOOKS: ReadonlySet<string> = new Set(["polymarket-book", "kalshi-book", "kalshi-book-rest"]);

type Living = {
  readonly clock: MachineClock;
  readonly exchange: ServedExchange;
  readonly lives: ServiceLives;
};

/** Runs the world under ingestion and faults, then pauses it. */
export async function liveRun(
  plan: RunPlan,
  { clock, exchange, lives }: Living,
): Promise<{ history: BookHistory; counts: FaultCounts }> {
  const watch = new FaultWatch(exchange, plan.faults, clock.now);
  lives.begin();
  // A busy machine starts slowly: the world waits until its books are followed, else its live time would be over.
  await untilFollowed(lives);
  exchange.clock.jumpTo(clock.now());
  exchange.clock.setSpeed(1);
  const history = new BookHistory(exchange.world);
  const endMs = clock.now() + plan.liveSeconds * 1000;
  watch.begin();
  for (let haveAllStruck = false; clock.now() < endMs + (haveAllStruck ? 0 : WAIT_FOR_FAULTS_MS);) {
    await clock.sleep(1000);
    haveAllStruck = watch.look();
  }
  const counts = watch.counts();
  exchange.clock.setSpeed(0);
  await sleep(STANDING_MS);
  return { history, counts };
}

/** Waits until the service's first process follows the books, has ended, or has timed out. */
async function untilFollowed(lives: ServiceLives): Promise<void> {
  const first = lives.current;
  await first?.ready.catch(() => undefined);
  const until = performance.now() + MAX_GATHER_MS;
  for (let reported = await first?.status(); reported !== undefined && performance.now() < until;) {
    const books = reported.status.streams.filter(({ name, state }) => BOOKS.has(name) && !isAside(state));
    if (books.length > 0 && books.every(({ state }) => state === "caught_up")) return;
    await sleep(LOOK_MS);
    reported = await first?.status();
  }
}

const isAside = (state: string): boolean => state === "off" || state === "replaced";
