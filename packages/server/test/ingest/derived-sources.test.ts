import { afterAll, beforeAll, expect, test } from "vitest";
import { polymarketCandlesFromFills } from "../../src/derivations/polymarket-candles.ts";
import { tokenDaysFromMinutes } from "../../src/derivations/token-days.ts";
import { sql } from "../../src/definition/sql.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

const START = Date.UTC(2026, 10, 20, 23, 59) / 1000;
const quick: Clock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(5, signal) };

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

async function days(): Promise<Record<string, string>> {
  const rows = await engines.store.rows<{ day: string; says: string }>(
    sql`SELECT toString(day) AS day, concat(toString(mark), ' of ', toString(trade_count)) AS says FROM token_days FINAL ORDER BY day`,
  );
  return Object.fromEntries(rows.map(({ day, says }) => [day, says]));
}

const chainFill = (id: number, second: number) => ({ ...fillRow(id, second), source: "chain_v2" });

test("a table derived from a derived one follows late rows, removed rows and a crash between the two", async () => {
  const derivations = [polymarketCandlesFromFills, tokenDaysFromMinutes];
  const open = () => {
    const deriver = createDeriver({ ...engines, derivations, clock: quick });
    const stop = new AbortController();
    const running = deriver.run(stop.signal);
    const end = async (): Promise<void> => {
      stop.abort();
      await running;
    };
    return { deriver, write: createWrite({ ...engines, deriver, announceKnown: false }), end };
  };
  const first = open();
  await first.write("fills", { table: polymarketFills, rows: [chainFill(1, START), chainFill(2, START + 60)] });
  await expect.poll(days).toEqual({ "2026-11-20": "0.5 of 1", "2026-11-21": "0.5 of 1" });
  await first.write("fills", { table: polymarketFills, rows: [{ ...chainFill(3, START + 59), usd: "1.5" }] });
  await expect.poll(days).toEqual({ "2026-11-20": "0.75 of 2", "2026-11-21": "0.5 of 1" });
  await first.write(
    "fills",
    {
      table: polymarketFills,
      rows: [],
      allOf: {
        from: 2,
        to: 2,
        since: new Date((START + 50) * 1000).toISOString(),
        until: new Date((START + 70) * 1000).toISOString(),
      },
    },
    { mend: () => Promise.resolve(), begin: () => Promise.resolve() },
  );
  await expect.poll(days).toEqual({ "2026-11-20": "0.75 of 2" });
  await first.end();
  // Stored by a process that was killed before deriving anything.
  const killed = createDeriver({ ...engines, derivations, clock: quick });
  const write = createWrite({ ...engines, deriver: killed, announceKnown: false });
  await write("fills", { table: polymarketFills, rows: [chainFill(4, START + 90_000)] });
  const second = open();
  await expect.poll(days).toEqual({ "2026-11-20": "0.75 of 2", "2026-11-22": "0.5 of 1" });
  await second.end();
});
