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
  const streams = await lookAtStreams(ingest, log, signal);
  await Promise.all(
    streams
      .filter(({ state }) => state !== "off" && state !== "replaced")
      .map(async ({ name }) => {
        try {
          const done = await ingest.backfill(name, range, signal);
          if (done) log.info({ stream: name, ...range, ...done }, "the past is gathered");
          if (done?.isFinished) await joinToLive(ingest, { name, to: range.to }, log, signal);
        } catch (error) {
          if (!signal.aborted) log.error({ err: error, stream: name, ...range }, "the past could not be gathered");
        }
      }),
  );
}

type Streams = Awaited<ReturnType<Ingest["status"]>>["streams"];

/** None when told to stop. Control records that do not answer are asked again: the service lives on without them too. */
async function lookAtStreams(ingest: Pick<Ingest, "status">, log: Logger, signal: AbortSignal): Promise<Streams> {
  while (!signal.aborted) {
    try {
      return (await ingest.status()).streams;
    } catch (error) {
      log.warn({ err: error }, "the streams cannot be looked at now; they are asked again");
      await systemClock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  }
  return [];
}

type Joined = { readonly name: string; readonly to: string };

/** A live stream that got its first answer late begins after the past's end: what lies between is gathered too. */
async function joinToLive(ingest: Ingest, { name, to }: Joined, log: Logger, signal: AbortSignal): Promise<void> {
  for (;;) {
    const since = (await lookAtStreams(ingest, log, signal)).find((one) => one.name === name)?.since;
    if (since) {
      if (Date.parse(since) > Date.parse(to)) await ingest.backfill(name, { from: to, to: since }, signal);
      return;
    }
    await systemClock.sleep(LOOK_MS, signal);
  }
}
