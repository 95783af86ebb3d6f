import { expect, test } from "vitest";
import { createAheadGap } from "../../src/ingest/socket/ahead-gap.ts";

test("a gap lasts while rows are stamped ahead, up to the latest of their moments", () => {
  const told: unknown[] = [];
  const gaps = {
    open: (_key: string, { from }: { from: number }) => told.push({ from }),
    close: (_key: string, to: number) => told.push({ to }),
  };
  let now = 1000;
  const ahead = createAheadGap(gaps, "socket 1", () => now);
  ahead.onStamp({ aheadTo: 61_000 }, 900);
  ahead.onStamp({ aheadTo: 60_500 }, 1000);
  ahead.onStamp({}, 1100);
  now = 90_000;
  ahead.end();
  expect(told).toEqual([{ from: 900 }, { from: 1000 }, { to: 61_000 }, { to: 90_000 }]);
});
