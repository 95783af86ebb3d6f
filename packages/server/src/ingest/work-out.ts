import type { Announcer } from "./announcer.ts";
import { deriveDaysRegularly } from "./day/derive-days-regularly.ts";
import { createDeriver, type Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { withinTime } from "./leases/within-time.ts";
import { refreshRegularly } from "./refresh/refresh-regularly.ts";
import type { Ground } from "./run-stream.ts";
import type { IngestOptions } from "./schedule.ts";
import { sweepRegularly } from "./sweep/sweep-regularly.ts";

export type WorkOutOptions = Omit<IngestOptions, "metrics" | "store" | "records"> & {
  readonly metrics: IngestMetrics;
  readonly announcer: Announcer;
};

const FLUSH_MS = 10_000;

/**
 * Works out what is stored, regularly what is due, and takes away what is kept no longer, until aborted and `stored`
 * (nothing more comes). Resolves when nothing of it goes on.
 */
export async function workOut(
  options: WorkOutOptions,
  ground: Ground,
  signal: AbortSignal,
  more: { readonly stored?: Promise<unknown>; readonly alongside?: (deriver: Deriver) => Promise<void> },
): Promise<void> {
  const { clock, log, announcer, venueNow = clock.now } = options;
  const shared = { ...options, ...ground, venueNow, signal };
  const deriver = createDeriver(shared);
  announcer.hear(deriver);
  const derived = new AbortController();
  const deriving = deriver.run(derived.signal);
  const { derivations, refreshes = [], sweeps = [] } = options;
  await Promise.all([
    deriveDaysRegularly({ ...shared, derivations: options.dayDerivations ?? [] }),
    refreshRegularly({ ...shared, refreshes }),
    sweepRegularly({ ...shared, sweeps, makers: [...derivations, ...refreshes] }),
    more.alongside?.(deriver),
    more.stored,
  ]);
  derived.abort(new Error("nothing is worked out here any more"));
  await deriving;
  announcer.forget(deriver);
  await withinTime(FLUSH_MS, clock, deriver.flush()).catch((error: unknown) =>
    log.error({ err: error }, "what was stored last could not be worked out; whoever is next does it"),
  );
}
