import { expect, test } from "vitest";
import { createAheadGap } from "../../src/ingest/socket/ahead-gap.ts";

test("a gap lasts from rows that are stamped ahead until the latest of their moments is past, on any connection", () => {
  const told: unknown[] = [];
  const gaps = {
    open: (key: string, { from }: { from: number }) => told.push({ key, from }),
    close: (key: string, to: number) => told.push({ key, to }),
  };
  let now = 1000;
  const shared = { gaps, key: "socket 1", venueNow: () => now, aheadTo: new Map<string, number>() };
  const first = createAheadGap({ ...shared, onPast: () => told.push("first") });
  first({}, 800);
  first({ aheadTo: 61_000 }, 900);
  first({ aheadTo: 60_500 }, 1000);
  const next = createAheadGap({ ...shared, onPast: () => told.push("next") });
  next({}, 1100);
  now = 61_001;
  next({}, 61_000);
  next({}, 61_000);
  const key = "ahead socket 1";
  expect(told).toEqual([{ key, from: 900 }, { key, from: 1000 }, { key, to: 61_001 }, "next"]);
});
