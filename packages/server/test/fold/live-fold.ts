import { Registry } from "prom-client";
import { derivations } from "../../src/catalogue.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import type { CheckpointFolder } from "../../src/ingest/fold/checkpoints.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { createWrite } from "../../src/ingest/write.ts";
import type { openEngines } from "../ingest/open-engines.ts";

/** Runs 20 times as fast, so that the lookup of new markets every ten seconds takes half a second. */
export const quick: Clock = {
  ...systemClock,
  sleep: (_ms, signal) => systemClock.sleep(2, signal),
  monotonicMs: () => systemClock.monotonicMs() * 20,
};

/** Computes wallets (and the marks they depend on) as a service does, from rows as they are written. */
export function liveFold(
  engines: Awaited<ReturnType<typeof openEngines>>,
  venueNow: () => number,
  checkpoints?: CheckpointFolder,
  clock = quick,
) {
  const wanted = derivations.filter(({ name }) => name === "polymarket-candles" || name === "token-days");
  const metrics = createIngestMetrics(new Registry());
  const deriver = createDeriver({
    ...engines,
    ...(checkpoints && { checkpoints }),
    metrics,
    derivations: wanted,
    folds: [walletFold],
    clock,
    venueNow,
  });
  const stop = new AbortController();
  const running = deriver.run(stop.signal);
  const write = createWrite({ ...engines, deriver, announceKnown: false });
  const isDone = () => Object.values(deriver.pending()).every((waiting) => waiting === 0);
  return {
    write,
    settle: async () => {
      // One derivation reads what another writes, so three idle checks in a row are required.
      for (let quiet = 0; quiet < 3; quiet = isDone() ? quiet + 1 : 0) await systemClock.sleep(30, stop.signal);
    },
    stop: async () => {
      stop.abort(new Error("stop"));
      await running;
      await deriver.flush();
    },
  };
}
