import { expect, test } from "vitest";
import { keepWritten } from "../../src/ingest/coverage/held-spans.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

test("cached state of streams expires by the monotonic clock, also after the wall clock was set back", async () => {
  const { db } = await openTestRecords();
  let [now, passed] = [Date.parse("2026-11-30T12:00:00Z"), 0];
  const kept = keepWritten(db, { now: () => now, monotonicMs: () => passed });
  const first = kept.read();
  await first;
  expect(kept.read()).toBe(first);
  now -= 3_600_000;
  passed += 60_000;
  const again = kept.read();
  expect(again).not.toBe(first);
  await again;
});
