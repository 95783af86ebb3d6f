import { expect, test } from "vitest";
import { earliest } from "../../src/ingest/fold/fold-reads.ts";

test("takes the earliest day of a key that is found several times", () => {
  const found = [
    ["ann", "2026-05-02"],
    ["bob", "2026-05-01"],
    ["ann", "2026-05-01"],
    ["ann", "2026-05-03"],
  ] as const;
  expect([...earliest(found, new Map([["bob", "2026-04-30"]]))]).toEqual([
    ["bob", "2026-04-30"],
    ["ann", "2026-05-01"],
  ]);
});
