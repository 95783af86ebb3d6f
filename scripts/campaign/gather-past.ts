import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { gatherHistory } from "../../packages/server/src/main/gather-history.ts";
import type { Service } from "../../packages/server/src/main/open-service.ts";

const AGAIN_MS = 500;

/**
 * Backfills from `fromMs` and retries what failed, as an operator reading the log would: a backfill stops at the first
 * response of a wrong shape, and nothing in the service repeats it.
 */
export async function gatherPast(
  service: Pick<Service, "ingest">,
  past: { readonly fromMs: number; readonly now: () => number },
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  for (let hasFailed = true; hasFailed && !signal.aborted;) {
    hasFailed = false;
    const noting = Object.create(log, {
      error: {
        value: (...said: Parameters<Logger["warn"]>) => {
          hasFailed = true;
          log.warn(...said);
        },
      },
    }) as Logger;
    await gatherHistory(service, past.now() - past.fromMs, noting, signal);
    if (hasFailed) await sleep(AGAIN_MS);
  }
}
