import { expect, test } from "vitest";
import { trackBackfill, type BackfillProgress } from "../../src/ingest/backfill.ts";
import { manualClock } from "./manual-clock.ts";

const range = { from: "2026-11-20T00:00:00Z", to: "2026-11-20T10:00:00Z" };

test("progress of a backward walk keeps its rate, share, position and ETA while batches report nothing new", async () => {
  const clock = manualClock();
  const reported: BackfillProgress[] = [];
  const tracker = trackBackfill(range, clock, (progress) => reported.push(progress));
  tracker.startAt(50);
  tracker.add({ since: "2026-11-20T10:00:00Z" }, 0);
  await clock.advance(10_000);
  tracker.add({ since: "2026-11-20T08:00:00Z" }, 100);
  const half = { position: "2026-11-20T08:00:00Z", share: 0.2, etaSeconds: 40 };
  expect(reported.at(-1)).toEqual({ ...half, rows: 150, rowsPerSecond: 10 });
  tracker.add({}, 20);
  expect(reported.at(-1)).toEqual({ ...half, rows: 170, rowsPerSecond: 12 });
  expect(tracker.rows()).toBe(170);
});
