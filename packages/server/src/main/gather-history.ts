import type { Logger } from "pino";
import { systemClock } from "../ingest/clock.ts";
import type { Ingest } from "../ingest/schedule.ts";
import type { Service } from "./open-service.ts";

const LOOK_MS = 1000;

type Range = Parameters<Ingest["pastLeft"]>[1];

/**
 * Backfills every running stream that supports it, all at once, with lower budget priority than the live streams;
 * ranges already held are skipped.
 */
export async function gatherHistory(
  service: Pick<Service, "ingest">,
  milliseconds: number,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { ingest } = service;
  if (ingest === undefined) return;
  const now = Date.now();
  const wish = { from: new Date(now - milliseconds).toISOString(), to: new Date(now).toISOString() };
  const looked = await answered(() => ingest.status(), log, signal);
  await Promise.all(
    (looked?.streams ?? [])
      .filter(({ state }) => state !== "off" && state !== "replaced")
      .map(async ({ name }) => {
        try {
          const left = await answered(() => ingest.pastLeft(name, wish), log, signal);
          if (left && (await gatherParts(ingest, { name, left }, log, signal)))
            await joinToLive(ingest, { name, from: wish.from }, log, signal);
        } catch (error) {
          if (!signal.aborted) log.error({ err: error, stream: name, ...wish }, "backfill failed");
        }
      }),
  );
}

/** Whether it completed the ranges; false also if nothing was left to backfill. */
async function gatherParts(
  ingest: Ingest,
  { name, left }: { readonly name: string; readonly left: readonly Range[] },
  log: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  for (const range of left) {
    const done = await ingest.backfill(name, range, signal);
    if (done) log.info({ stream: name, ...range, ...done }, "backfill ended");
    if (!done?.isFinished) return false;
  }
  return left.length > 0;
}

/** Undefined if aborted. Retries while the records do not answer: the service keeps running without them too. */
async function answered<T>(ask: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await ask();
    } catch (error) {
      log.warn({ err: error }, "stream progress cannot be read now; retrying");
      await systemClock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  }
  return undefined;
}

type Joined = { readonly name: string; readonly from: string };

/**
 * A live stream may begin after the end of the backfill, which was cut to what had arrived, or because its first answer
 * came late: the time between is backfilled too, once it has arrived.
 */
async function joinToLive(ingest: Ingest, { name, from }: Joined, log: Logger, signal: AbortSignal): Promise<void> {
  for (;;) {
    const looked = await answered(() => ingest.status(), log, signal);
    const since = looked?.streams.find((one) => one.name === name)?.since;
    const left = since && (await answered(() => ingest.pastLeft(name, { from, to: since }), log, signal));
    if (left && !(await gatherParts(ingest, { name, left }, log, signal))) return;
    await systemClock.sleep(LOOK_MS, signal);
  }
}
