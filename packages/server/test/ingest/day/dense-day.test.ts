import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/definition/sql.ts";
import { walletTradeDaysFromFills } from "../../../src/derivations/patterns/wallet-trade-days.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import type { RunOfDays } from "../../../src/ingest/day/run-days.ts";
import { openStore, type OpenStore } from "../../../src/store/open-store.ts";
import { StoreError, type StoreErrorKind } from "../../../src/store/statement.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { openMigratedStore } from "../../fixtures/open-migrated-store.ts";
import { fill, FILL_START } from "../../fixtures/sample-rows.ts";
import { withoutWaits } from "../clocks.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-dense-"));
let store: OpenStore;
beforeAll(async () => {
  await (await openMigratedStore(folder)).close();
  // A caller's query gets almost no memory.
  store = await openStore({ folder, limits: { seconds: 20, memoryBytes: 100_000 } });
  await store.insert(
    polymarketFills,
    Array.from({ length: 6 }, (_, index) => fill(index)),
  );
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const derive = (rows: RunOfDays["store"]["rows"] = store.rows): Promise<number> =>
  deriveDays(walletTradeDaysFromFills, undefined, {
    store: { ...store, rows },
    clock: withoutWaits(() => (FILL_START + 86_400) * 1000),
    signal: new AbortController().signal,
  });

const versions = async (): Promise<number> => {
  const [found] = await store.rows<{ n: number }>(
    sql`SELECT toUInt32(uniqExact(version)) AS n FROM wallet_trade_days`,
    { settings: { max_memory_usage: 0 } },
  );
  return found?.n ?? 0;
};

test("derives and compares a day regardless of the memory limit of callers' queries", async () => {
  await expect(store.rows(sql`SELECT groupArray(number) AS all FROM numbers(1000000)`)).rejects.toMatchObject({
    kind: "memory",
  });
  expect(await derive()).toBe(1);
  expect(await versions()).toBe(1);
  expect(await derive()).toBe(1);
  expect(await versions()).toBe(1);
});

const refusing =
  (kind: StoreErrorKind): RunOfDays["store"]["rows"] =>
  async (statement, reading) => {
    if (statement.text.includes("AS print")) throw new StoreError(kind, 0, "refused");
    return store.rows(statement, reading);
  };

test("stores a day again if it has too many rows to compare", async () => {
  const before = await versions();
  expect(await derive(refusing("memory"))).toBe(1);
  expect(await derive(refusing("timeout"))).toBe(1);
  expect(await versions()).toBeGreaterThan(before);
  await expect(derive(refusing("absent"))).rejects.toMatchObject({ kind: "absent" });
});
