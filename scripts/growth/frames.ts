import { loadavg } from "node:os";
import { frameCost, type FrameCost } from "./frame-costs.ts";
import { inNewStore } from "./in-new-store.ts";
import { paperFrames } from "./paper-frames.ts";
import { recordedFrames } from "./recorded-frames.ts";

export type FrameOptions = {
  readonly folder: string;
  readonly migrations: string;
  /** Recordings as in shared/recorded; left out where they are not there. */
  readonly recorded: string;
  /** Frames of each socket. */
  readonly most: number;
  readonly batch: number;
};

export type FramesMeasured = {
  readonly load: number;
  readonly batch: number;
  readonly feeds: readonly FrameCost[];
  readonly absent: readonly string[];
};

const NO_KALSHI = "recorded frames of Kalshi's websocket: there are none";

/** Decodes and stores what sockets were sent, made up and recorded, and says what a frame and a change take. */
export async function measureFrames(options: FrameOptions): Promise<FramesMeasured> {
  const recorded = await recordedFrames(options.recorded, options.most);
  return await inNewStore(options, async (store) => {
    const feeds: FrameCost[] = [];
    for (const feed of [...paperFrames(options.most), ...recorded]) {
      feeds.push(await frameCost(store, feed, options.batch));
      process.stderr.write(`${JSON.stringify(feeds.at(-1))}\n`);
    }
    const absent = [
      NO_KALSHI,
      ...(recorded.length > 0 ? [] : [`recordings of Polymarket: none at ${options.recorded}`]),
    ];
    return { load: Math.round((loadavg()[0] ?? Number.NaN) * 10) / 10, batch: options.batch, feeds, absent };
  });
}
