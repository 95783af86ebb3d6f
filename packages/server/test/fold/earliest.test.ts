import { expect, test } from "vitest";
import { earliest } from "../../src/ingest/fold/find-touched.ts";

test("what is found several times is worked out from its earliest day on", () => {
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
