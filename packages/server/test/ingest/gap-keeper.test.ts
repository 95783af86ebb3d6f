import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/ingest/clock.ts";
import { createGapKeeper } from "../../src/ingest/socket/gap-keeper.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import { openEngines } from "./open-engines.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());

test("an open gap begins earlier if the same cause is found at an earlier time", async () => {
  const stream = "books";
  const signal = new AbortController().signal;
  const gaps = createGapKeeper({ ...engines, clock: systemClock, watch: createStreamWatch(stream), signal, stream });
  const [early, noon, late] = [-5000, 0, 5000].map((ms) => Date.UTC(2026, 10, 30, 12) + ms) as [number, number, number];
  for (const from of [noon, late, early, noon]) gaps.open("back", { from, reason: "the venue's clock went back" });
  expect(gaps.earliest()).toBe(early);
  gaps.close("back", late);
  await gaps.settled();
  const found = await engines.db.selectFrom("gaps").select(["from_at", "to_at"]).execute();
  expect(found).toEqual([{ from_at: new Date(early), to_at: new Date(late) }]);
});
