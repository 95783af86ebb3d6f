import { deriveDaysRegularly } from "./day/derive-days-regularly.ts";
import type { Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { refreshRegularly } from "./refresh/refresh-regularly.ts";
import type { Hold } from "./concurrency.ts";
import type { PastWalks } from "./past-walks.ts";
import type { IngestContext } from "./run-stream.ts";
import type { IngestOptions } from "./schedule.ts";
import { sweepRegularly } from "./sweep/sweep-regularly.ts";
import { withinTime } from "./clock.ts";

export type RunDerivationsOptions = Omit<IngestOptions, "metrics" | "store" | "records"> &
  IngestContext & {
    readonly metrics: IngestMetrics;
    readonly deriver: Deriver;
    /** Pauses this while a command derives instead. */
    readonly hold: Hold;
    /** When they end, days and refreshes are derived again with their rows. */
    readonly pastWalks: PastWalks;
    /** Resolves when nothing more is stored. */
    readonly stored: Promise<unknown>;
  };

const FLUSH_MS = 10_000;

/**
 * Derives stored rows, runs scheduled derivations and sweeps expired rows, until aborted and nothing more is stored.
 * Resolves when all of that has stopped.
 */
export async function runDerivations(options: RunDerivationsOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, deriver, stored, hold } = options;
  const over = stored.then(() => "over" as const);
  for (let why: "over" | "held" = "held"; why === "held";) {
    why = await workUntilHeld(options, over, signal);
    await hold.standStill();
  }
  await withinTime(FLUSH_MS, clock, deriver.flush()).catch((error: unknown) =>
    log.error({ err: error }, "the rows stored last could not be derived; the next start does it"),
  );
}

/** Runs until it has to pause, or is aborted and nothing more is stored. */
async function workUntilHeld(
  options: RunDerivationsOptions,
  over: Promise<"over">,
  signal: AbortSignal,
): Promise<"over" | "held"> {
  const { clock, deriver, hold, pastWalks, venueNow = clock.now, derivations, refreshes = [], sweeps = [] } = options;
  const wanted = hold.wanted();
  const shared = { ...options, venueNow, signal: AbortSignal.any([signal, wanted]) };
  const held = new Promise<"held">((resolve) =>
    wanted.addEventListener("abort", () => resolve("held"), { once: true }),
  );
  const derived = new AbortController();
  const deriving = deriver.run(derived.signal);
  const [why] = await Promise.all([
    Promise.race([over, held]),
    deriveDaysRegularly({ ...shared, clock: pastWalks.wake(clock), derivations: options.dayDerivations ?? [] }),
    ...refreshes.map((one) => refreshRegularly({ ...shared, clock: pastWalks.wake(clock), refreshes: [one] })),
    sweepRegularly({ ...shared, sweeps, makers: [...derivations, ...refreshes] }),
  ]);
  derived.abort(new Error("derivations are paused here"));
  await deriving;
  return why;
}
