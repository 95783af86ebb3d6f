import { every } from "../every.ts";
import { replayParked, type ReplayOptions } from "./replay-parked.ts";

const EVERY_MS = 3_600_000;

/** Reads parked pages again at once and every hour, until aborted: after an upgrade nobody needs to think of it. */
export async function replayRegularly(options: ReplayOptions): Promise<void> {
  const { clock, signal, log } = options;
  const failed = { log, message: "parked pages could not be looked at; they are looked at again in an hour" };
  await every({ clock, signal, everyMs: EVERY_MS, firstMs: 0, failed }, async () => {
    const counts: Record<string, number> = {};
    for await (const { outcome } of replayParked(options)) counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (Object.keys(counts).length > 0) log.info(counts, "parked pages were read again");
  });
}
