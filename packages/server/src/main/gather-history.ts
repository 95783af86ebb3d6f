import type { Logger } from "pino";
import type { Service } from "./open-service.ts";

/** Gathers the past of every running stream that can, all at once, behind the live streams' budgets. */
export async function gatherHistory(
  service: Service,
  milliseconds: number,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { ingest } = service;
  if (ingest === undefined) return;
  const now = Date.now();
  const range = { from: new Date(now - milliseconds).toISOString(), to: new Date(now).toISOString() };
  const { streams } = await ingest.status();
  await Promise.all(
    streams
      .filter(({ state }) => state !== "off" && state !== "replaced")
      .map(async ({ name }) => {
        try {
          const done = await ingest.backfill(name, range, signal);
          if (done) log.info({ stream: name, ...range, ...done }, "the past is gathered");
        } catch (error) {
          log.error({ err: error, stream: name, ...range }, "the past could not be gathered");
        }
      }),
  );
}
