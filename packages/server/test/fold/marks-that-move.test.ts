import { afterAll, beforeAll, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { sql } from "../../src/definition/sql.ts";
import { polymarketCandlesFromFills } from "../../src/derivations/polymarket-candles.ts";
import { tokenDaysFromMinutes } from "../../src/derivations/token-days.ts";
import { walletSources } from "../../src/derivations/wallet-touch/wallet-sources.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { tokenDays } from "../../src/tables/token-days.ts";
import { walletTokenDays } from "../../src/tables/wallet-token-days.ts";
import { tokenDay } from "../fixtures/wallet-token-day-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { openEngines } from "../ingest/open-engines.ts";

const quick: Clock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(5, signal) };
const at = (day: number, hour: number): number => Date.UTC(2026, 10, day, hour) / 1000;
const wallet = (number: number): string => `0x${String(number).padStart(40, "0")}`;
const fill = (id: number, day: number, hour: number, usd = "1"): InsertRow => ({
  ...fillRow(id, at(day, hour)),
  token_id: "7",
  source: "chain_v2",
  usd,
});
const EARLIER = wallet(1);
const SOLD = wallet(2);
const BETWEEN = wallet(3);
const WITHIN_A_DAY = wallet(4);
const AFTER = wallet(5);

const held = (owner: string, day: number, shares: string): InsertRow =>
  tokenDay(owner, `2026-11-${day}`, "7", { shares });

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

/** Wallets to recompute for a mark of the 20th that was written since. */
async function touchedSince(sinceMs: number): Promise<Record<string, string>> {
  const source = walletSources.find(({ table }) => table === tokenDays);
  const found = await source?.find?.(foldReader(engines.store), new Map([["2026-11-20", "2026-11-20"]]), sinceMs);
  return Object.fromEntries(found ?? []);
}

async function trades(): Promise<string> {
  const rows = await engines.store.rows<{ says: string }>(
    sql`SELECT concat(toString(mark), ' of ', toString(trade_count)) AS says FROM ${tokenDays} FINAL ORDER BY day`,
  );
  return rows.map(({ says }) => says).join(", ");
}

test("a late fill touches holders of a token only if it is the last of its day, until a later mark counts", async () => {
  await engines.store.insert(walletTokenDays, [
    held(EARLIER, 18, "10"),
    held(SOLD, 18, "10"),
    held(SOLD, 19, "0"),
    held(BETWEEN, 21, "5"),
    held(WITHIN_A_DAY, 20, "0"),
    held(AFTER, 22, "5"),
  ]);
  const deriver = createDeriver({
    ...engines,
    derivations: [polymarketCandlesFromFills, tokenDaysFromMinutes],
    clock: quick,
  });
  const stop = new AbortController();
  const running = deriver.run(stop.signal);
  const write = createWrite({ ...engines, deriver, announceKnown: false });
  const store = (...rows: readonly InsertRow[]) => write("fills", { table: polymarketFills, rows });
  const holders = { [EARLIER]: "2026-11-20", [BETWEEN]: "2026-11-20" };

  const began = Date.now();
  await store(fill(1, 20, 12), fill(2, 22, 12));
  await expect.poll(trades).toBe("0.5 of 1, 0.5 of 1");
  expect(await touchedSince(began)).toEqual(holders);

  const early = Date.now();
  await store(fill(3, 20, 10, "1.5"));
  await expect.poll(trades).toBe("0.5 of 2, 0.5 of 1");
  expect(await touchedSince(early)).toEqual({});
  // A reader that has not reached the first mark yet still finds them.
  expect(await touchedSince(began)).toEqual(holders);

  // Rows stored before the column existed.
  await engines.store.run(
    sql`INSERT INTO ${tokenDays} (token_id, day, trade_close, mark, volume_usd, trade_count, version, content) SELECT token_id, day, trade_close, mark, volume_usd, trade_count, version + 1, content FROM ${tokenDays} FINAL`,
  );
  const old = Date.now();
  await store(fill(5, 20, 9, "1.5"));
  await expect.poll(trades).toBe("0.5 of 3, 0.5 of 1");
  expect(await touchedSince(old)).toEqual({});

  const last = Date.now();
  await store(fill(4, 20, 23, "1.5"));
  await expect.poll(trades).toBe("0.75 of 4, 0.5 of 1");
  expect(await touchedSince(last)).toEqual(holders);
  stop.abort();
  await running;
});
