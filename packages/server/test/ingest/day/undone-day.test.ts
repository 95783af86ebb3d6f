import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveChangedDays } from "../../../src/ingest/day/derive-days-regularly.ts";
import { closeUndo, openUndo } from "../../../src/ingest/control/undo-record.ts";
import { walletTradeDaysFromFills } from "../../../src/derivations/patterns/wallet-trade-days.ts";
import { sql } from "../../../src/definition/sql.ts";
import { fill, FILL_START, table } from "../../fixtures/sample-rows.ts";
import { manualClock } from "../manual-clock.ts";
import { openEngines } from "../open-engines.ts";

const DAY_MS = 86_400_000;

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

const rowsOfDays = async (): Promise<number> => {
  const [found] = await engines.store.rows<{ n: string }>(
    sql`SELECT toString(count()) AS n FROM wallet_trade_days FINAL WHERE NOT is_gone`,
  );
  return Number(found?.n);
};

test("a past day is derived again after a rollback that left no row of it", async () => {
  const { store, db } = engines;
  const clock = manualClock(FILL_START * 1000 + 2 * DAY_MS);
  const run = { store, db, clock, signal: new AbortController().signal };
  await store.insert(table("polymarket_fills"), [fill(1)]);
  await deriveChangedDays(walletTradeDaysFromFills, false, run);
  expect(await rowsOfDays()).toBeGreaterThan(0);
  for (const name of ["polymarket_fills", "polymarket_fills_by_token", "polymarket_fills_by_wallet"])
    await store.alter(sql`DELETE FROM ${{ kind: "table", name }} WHERE 1`);
  const undoer = { stream: "polymarket-trades-chain" };
  const at = new Date((FILL_START + 1) * 1000);
  await openUndo(db, undoer, { from: at, to: at }, new Date(clock.now()));
  await closeUndo(db, undoer, new Date(clock.now()));
  await deriveChangedDays(walletTradeDaysFromFills, false, run);
  expect(await rowsOfDays()).toBe(0);
});
