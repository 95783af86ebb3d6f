import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePolymarket } from "../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../exchange/src/world/create-world.ts";
import type { World } from "../../../exchange/src/world/world.ts";
import { polymarketIncomeStream } from "../../src/connectors/polymarket/income.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { createKnown, type KnownLimits } from "../../src/ingest/known.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { httpFeed } from "../connectors/polymarket/http-feed.ts";
import { collect, pullOptions } from "../connectors/polymarket/memory-feed.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";

const FROM = Date.UTC(2026, 10, 18);
const DAY = 86_400_000;
const HOUR = 3_600_000;

let now = FROM + DAY + HOUR;
let world: World;
let served: Awaited<ReturnType<typeof servePolymarket>>;
let store: Awaited<ReturnType<typeof openTestStore>>;

beforeAll(async () => {
  const small = { events: 20, wallets: 150, activity: 0.3, kalshi_markets: 2 };
  world = createWorld({ seed: 11, clock: () => now, from_ms: FROM, days: 1, ...small });
  served = await servePolymarket({ world });
  store = await openTestStore();
  await store.insert(
    walletDays,
    world.walletTruth().map(({ address, style }, index) =>
      walletDay(address, "2026-11-18", {
        bought_usd: String(1000 + index),
        sold_usd: "1",
        maker_usd: style === "maker" ? "1" : "0",
      }),
    ),
  );
}, 300_000);
afterAll(async () => {
  await store.close();
  await served.close();
});

const dueOf = (limits: Partial<KnownLimits> = {}) => createKnown(store, () => now, limits)("income_wallets");

/** Runs a cycle over all wallets due, stored as ingest stores it. */
async function cycle(limits: Partial<KnownLimits> = {}): Promise<{ requested: number; stored: number; known: number }> {
  const due = await dueOf(limits);
  const options = pullOptions(httpFeed(served.urls.data), { now: () => now, known: async () => due });
  const sum = { requested: due.length, stored: 0, known: 0 };
  for (const { table, rows } of (await collect(polymarketIncomeStream.pull(options))).batches.flatMap(
    (batch) => batch.rows,
  )) {
    const inserted = await store.insert(table, rows);
    if (table.name !== "polymarket_income") continue;
    sum.stored += inserted.stored;
    sum.known += inserted.known;
  }
  return sum;
}

const storedRows = async (): Promise<string[]> => {
  const rows = await store.rows<{ row: string }>(
    fromDefinition(
      "SELECT concat('0x', lower(hex(wallet)), ' ', upper(toString(kind)), ' ', toString(toUnixTimestamp(ts)), ' 0x', lower(hex(tx_hash)), ' ', toString(toInt64(amount_usd * 1000000))) AS row FROM polymarket_income",
    ),
  );
  return rows.map(({ row }) => row).toSorted();
};
const trueRows = (): string[] =>
  world.income
    .all()
    .map(({ wallet, type, ms, tx_hash, amount_micro }) => `${wallet} ${type} ${ms / 1000} ${tx_hash} ${amount_micro}`)
    .toSorted();

describe("income of a paper world", { timeout: 300_000 }, () => {
  it("is requested for makers first, then by volume, up to the maximum number of wallets", async () => {
    const makers = new Set(
      world
        .walletTruth()
        .filter(({ style }) => style === "maker")
        .map(({ address }) => `${address} 0`),
    );
    const all = await dueOf();
    expect(all).toHaveLength(world.polymarket.wallets.length);
    expect(new Set(all.slice(0, makers.size))).toEqual(makers);
    const truth = world.walletTruth().filter(({ style }) => style !== "maker");
    expect(all.slice(makers.size)).toEqual(truth.toReversed().map(({ address }) => `${address} 0`));
    expect(await dueOf({ incomeWallets: 7 })).toEqual(all.slice(0, 7));
    expect(await dueOf({ incomeWallets: 0 })).toEqual([]);
  });

  it("is stored exactly once and to the unit, and later cycles add only new rows", async () => {
    const first = trueRows();
    expect(first.length).toBeGreaterThan(10);
    expect(await cycle()).toEqual({ requested: 150, stored: first.length, known: 0 });
    expect(await storedRows()).toEqual(first);
    expect(await cycle()).toEqual({ requested: 0, stored: 0, known: 0 });
    now += DAY;
    world.advanceTo(now);
    const then = trueRows();
    expect(then.length).toBeGreaterThan(first.length);
    expect(await cycle()).toEqual({ requested: 150, stored: then.length - first.length, known: first.length });
    expect(await storedRows()).toEqual(then);
  });

  it("is requested again after the configured number of hours", async () => {
    now += 5 * HOUR;
    world.advanceTo(now);
    expect(await dueOf()).toEqual([]);
    const checked = Math.floor((now - 5 * HOUR) / 1000);
    const due = await dueOf({ incomeHours: 4 });
    expect(due).toHaveLength(150);
    for (const each of due) expect(each).toMatch(new RegExp(` ${checked}$`));
  });
});
