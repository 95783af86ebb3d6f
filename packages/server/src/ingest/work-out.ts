import { deriveDaysRegularly } from "./day/derive-days-regularly.ts";
import type { Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { refreshRegularly } from "./refresh/refresh-regularly.ts";
import type { Ground } from "./run-stream.ts";
import type { IngestOptions } from "./schedule.ts";
import { sweepRegularly } from "./sweep/sweep-regularly.ts";
import { withinTime } from "./within-time.ts";

export type WorkOutOptions = Omit<IngestOptions, "metrics" | "store" | "records"> &
  Ground & {
    readonly metrics: IngestMetrics;
    readonly deriver: Deriver;
    /** Nothing more comes. */
    readonly stored: Promise<unknown>;
  };

const FLUSH_MS = 10_000;

/**
 * Works out what is stored, regularly what is due, and takes away what is kept no longer, until aborted and nothing more
 * comes. Resolves when nothing of it goes on.
 */
export async function workOut(options: WorkOutOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, deriver, stored, venueNow = clock.now } = options;
  const shared = { ...options, venueNow, signal };
  const derived = new AbortController();
  const deriving = deriver.run(derived.signal);
  const { derivations, refreshes = [], sweeps = [] } = options;
  await Promise.all([
    deriveDaysRegularly({ ...shared, derivations: options.dayDerivations ?? [] }),
    refreshRegularly({ ...shared, refreshes }),
    sweepRegularly({ ...shared, sweeps, makers: [...derivations, ...refreshes] }),
    stored,
  ]);
  derived.abort(new Error("nothing is worked out here any more"));
  await deriving;
  await withinTime(FLUSH_MS, clock, deriver.flush()).catch((error: unknown) =>
    log.error({ err: error }, "what was stored last could not be worked out; the next start does it"),
  );
}
