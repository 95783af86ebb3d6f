import type { Logger } from "pino";
import { systemClock } from "../ingest/clock.ts";
import type { Ingest } from "../ingest/schedule.ts";
import type { Service } from "./open-service.ts";

const LOOK_MS = 1000;

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
          if (done?.isFinished) await joinToLive(ingest, name, range.to, signal);
        } catch (error) {
          if (!signal.aborted) log.error({ err: error, stream: name, ...range }, "the past could not be gathered");
        }
      }),
  );
}

/** A live stream that got its first answer late begins after the past's end: what lies between is gathered too. */
async function joinToLive(ingest: Ingest, name: string, to: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { streams } = await ingest.status();
    const since = streams.find((one) => one.name === name)?.since;
    if (since) {
      if (Date.parse(since) > Date.parse(to)) await ingest.backfill(name, { from: to, to: since }, signal);
      return;
    }
    await systemClock.sleep(LOOK_MS, signal);
  }
}
