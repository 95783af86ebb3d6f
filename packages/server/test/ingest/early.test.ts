import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defineSocket, definePull, type Host } from "../../src/definition/connector.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { sweepEarly } from "../../src/ingest/early/sweep-early.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow, minuteCounts } from "./fill-rows.ts";
import { manualClock } from "./manual-clock.ts";
import { openEngines } from "./open-engines.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const HOST: Host = { name: "venue", setting: "VENUE_URL", share: 0.5, limits: { all: { tokens: 200, perSeconds: 1 } } };
const everywhere = [polymarketFills.name, ...Object.keys(polymarketFills.copies ?? {})];

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => (engines = await openEngines()), 60_000);
afterAll(() => engines.close());
beforeEach(async () => {
  for (const name of [...everywhere, "polymarket_candles_1m"])
    await engines.store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
  for (const name of ["gaps", "notices"] as const) await engines.db.deleteFrom(name).execute();
});

const early = defineSocket({
  name: "early",
  title: "Early",
  venue: "polymarket",
  host: HOST,
  path: "/",
  tables: [],
  addsTo: [polymarketFills],
  isEarly: true,
  instruments: ["all"],
  maxInstrumentsPerSocket: 1,
  silentAfterSeconds: 15,
  session: () => {
    throw new Error("not opened");
  },
});
const whole = definePull({
  name: "whole",
  title: "Whole",
  venue: "polymarket",
  host: HOST,
  tables: [polymarketFills],
  everySeconds: 1,
  canBackfill: false,
  // oxlint-disable-next-line no-empty-function
  async *pull() {},
});

/** One turn of the sweep with the whole stream complete up to so many seconds after the start. */
async function sweep(reachedSeconds: number | undefined): Promise<ReturnType<typeof createDeriver>> {
  const clock = manualClock();
  const stop = new AbortController();
  const watch = createStreamWatch("whole");
  watch.reached = reachedSeconds === undefined ? undefined : (START + reachedSeconds) * 1000;
  const deriver = createDeriver({ ...engines, derivations: [minuteCounts], clock });
  let turns = 0;
  const sleep = async (): Promise<void> => {
    if (turns > 0) stop.abort(new Error("one turn is enough"));
    turns += 1;
  };
  await sweepEarly({
    ...engines,
    planned: [
      { connector: early, state: "on" },
      { connector: whole, state: "on" },
    ],
    watches: new Map([["whole", watch]]),
    deriver,
    clock: { ...clock, sleep },
    signal: stop.signal,
  });
  return deriver;
}

const told = (id: number, second: number, source: "rtds" | "data_api_v2" | "chain_v2") => ({
  ...fillRow(id, START + second),
  source,
});
const left = async (name: string): Promise<number[]> => {
  const rows = await engines.store.rows<{ second: number }>(
    fromDefinition(`SELECT toUInt32(toUnixTimestamp(ts) - ${START}) AS second FROM ${name} ORDER BY ts`),
  );
  return rows.map(({ second }) => second);
};

test("rows that nobody confirmed go minutes later, from every sort order; counted, noted, and worked out anew", async () => {
  const deriver = createDeriver({ ...engines, derivations: [minuteCounts], clock: manualClock() });
  const write = createWrite({ ...engines, deriver, announceKnown: false });
  const rows = [told(1, 10, "rtds"), told(2, 20, "data_api_v2"), told(3, 30, "chain_v2"), told(4, 250, "rtds")];
  await write("early", { table: polymarketFills, rows });
  await deriver.flush();
  const after = await sweep(400);
  for (const name of everywhere) expect(await left(name), name).toEqual([20, 30, 250]);
  const notices = await engines.db.selectFrom("notices").selectAll().execute();
  expect(notices).toMatchObject([{ stream: "early", kind: "upstream_note", count: 1 }]);
  await after.flush();
  const counts = await engines.store.rows<{ n: string }>(
    sql`SELECT toString(trade_count) AS n FROM polymarket_candles_1m FINAL ORDER BY minute`,
  );
  expect(counts).toEqual([{ n: "2" }, { n: "1" }]);
});

test("nothing goes while the whole stream is not beyond it or has brought nothing", async () => {
  await engines.store.insert(polymarketFills, [told(1, 10, "rtds")]);
  await sweep(309);
  expect(await left("polymarket_fills")).toEqual([10]);
  await sweep(undefined);
  expect(await left("polymarket_fills")).toEqual([10]);
});

test("what lies in a gap of the whole stream stays until that is filled", async () => {
  await engines.store.insert(polymarketFills, [told(1, 10, "rtds"), told(2, 100, "rtds")]);
  const gap = { stream: "whole", from_at: new Date((START + 90) * 1000), to_at: new Date((START + 110) * 1000) };
  await engines.db
    .insertInto("gaps")
    .values({ ...gap, reason: "pruned", opened_at: new Date(START * 1000) })
    .execute();
  await sweep(1000);
  expect(await left("polymarket_fills")).toEqual([100]);
  await engines.db
    .updateTable("gaps")
    .set({ filled_at: new Date(START * 1000) })
    .execute();
  await sweep(1000);
  expect(await left("polymarket_fills")).toEqual([]);
});
