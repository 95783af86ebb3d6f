import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { polymarketCandlesFromFills } from "../../src/derivations/polymarket-candles.ts";
import type { ServedTable } from "../../src/definition/served.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { rebuildAll } from "../../src/ingest/rebuild.ts";
import { remake, type Buckets } from "../../src/ingest/remake.ts";
import { waitForRoom } from "../../src/main/derive/wait-for-room.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { servedCandles } from "../../src/tables/served-candles.ts";
import { servedWalletDays } from "../../src/tables/served-wallet-days.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, table, tokenId } from "../fixtures/sample-rows.ts";
import { sharesFold } from "../fold/shares-fold.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const fills = table("polymarket_fills");
const folder = mkdtempSync(join(tmpdir(), "almanac-derived-"));
const log = { info: () => undefined, error: () => undefined };
const FIRST = Math.floor(FILL_START / 60) * 60;
const MINUTES = 40;
const thread = openFeedThread();
let store: OpenStore;
let index: ServedIndex;
let days: ServedIndex;
let nowMs = Date.now();
const clock = withoutWaits(() => nowMs);

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => {
    if (name === polymarketCandles.name) index?.changed(left);
    if (name === walletDays.name) days.changed(left);
  });
  await store.insert(
    fills,
    Array.from({ length: MINUTES * 4 }, (_, at) =>
      fill(at, { ts: FIRST + Math.floor(at / 4) * 60 + at, token_id: tokenId(at % 3) }),
    ),
  );
  const open = (served: ServedTable, of: TableDefinition): ServedIndex =>
    openIndex({ store, served, table: of, folder: join(folder, of.name), maxBytes: async () => 1e9, thread, log });
  index = open(servedCandles, polymarketCandles);
  days = open(servedWalletDays, walletDays);
});
afterAll(async () => {
  await index.close();
  await days.close();
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const starts = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => FIRST + (from + at) * 60);

async function made(buckets: Buckets, by: Store = store): Promise<void> {
  nowMs += 10;
  const options = { store: by, clock, remade: () => () => undefined, onDerived: store.changed };
  await remake(polymarketCandlesFromFills, options, buckets);
}

/** Checks that the index has the newest version of each minute in the store; returns how many. */
async function check(): Promise<number> {
  await expect.poll(() => index.behindMs(), { interval: 10, timeout: 20_000 }).toBe(0);
  const reader = index.reader();
  if (reader === undefined) throw new Error("no index");
  const stored = await store.rows<Record<string, string>>(
    fromDefinition(
      "SELECT toString(token_id) AS token_id, toUnixTimestamp(minute) AS minute, toString(close) AS close, toString(volume) AS volume, toString(version) AS version FROM polymarket_candles_1m FINAL ORDER BY token_id, minute DESC",
    ),
  );
  const held = [0, 1, 2].flatMap((at) => {
    const page = reader.page({ limit: 1e6, budget: 1e6, by: { column: "token_id", values: [tokenId(at)] } });
    return page.rows.rows.map((rows, row) => {
      const view = reader.view().move(rows, page.rows.atOf(row));
      const of = (name: string) => view.value(reader.layout.column(name));
      return {
        token_id: of("token_id"),
        minute: of("minute"),
        close: of("close"),
        volume: of("volume"),
        version: String(of("version")),
      };
    });
  });
  expect(held).toEqual(stored);
  return held.length;
}

test("an index of derived rows follows computed, recomputed and deleted rows, and those of a rebuild", async () => {
  await made({ starts: starts(0, MINUTES), left: [] });
  const all = await check();
  expect(all).toBeGreaterThan(MINUTES);
  // Late fills, and minutes that lose all or some of their fills.
  await store.insert(fills, [fill(9000, { ts: FIRST + 65, token_id: tokenId(2), usd: "9" })]);
  await made({ starts: starts(0, 5), left: [] });
  await check();
  for (const name of [fills.name, ...Object.keys(fills.copies ?? {})])
    await store.alter(
      fromDefinition(
        `DELETE FROM ${name} WHERE token_id = toUInt256('${tokenId(1)}') AND toUnixTimestamp(ts) < ${FIRST + 600}`,
      ),
    );
  await made({ starts: starts(0, 10), left: starts(0, 10) });
  expect(await check()).toBeLessThan(all);
  // A rebuild that began before the last cycle: its versions are older than the index's watermark.
  await store.alter(
    fromDefinition(`DELETE FROM polymarket_candles_1m WHERE toUnixTimestamp(minute) >= ${FIRST + 1200}`),
  );
  await made({ starts: starts(0, 3), left: [] });
  nowMs -= 5000;
  const range = {
    from: new Date(FIRST * 1000).toISOString(),
    to: new Date((FIRST + MINUTES * 60) * 1000).toISOString(),
  };
  await rebuildAll(polymarketCandlesFromFills, range, { store, clock, signal: new AbortController().signal });
  store.changed(polymarketCandles, "unknown");
  expect(await check()).toBeGreaterThan(MINUTES);
});

test("an index loses the rows of emptied minutes although the engine's answer to their deletion was lost", async () => {
  await store.insert(fills, [late(9050, 120)]);
  await made({ starts: [FIRST + 7200], left: [] });
  const before = await check();
  for (const name of [fills.name, ...Object.keys(fills.copies ?? {})])
    await store.alter(fromDefinition(`DELETE FROM ${name} WHERE toUnixTimestamp(ts) = ${FIRST + 7207}`));
  const alter: OpenStore["alter"] = async (...given) => {
    await store.alter(...given);
    throw new Error("the connection was closed");
  };
  const emptied = { starts: [FIRST + 7200], left: [FIRST + 7200] };
  await expect(made(emptied, { ...store, alter })).rejects.toThrow("closed");
  await made(emptied);
  expect(await check()).toBe(before - 1);
});

const volumeOf = async (token: number, minute: number): Promise<string | undefined> => {
  const [row] = await store.rows<{ volume: string }>(
    fromDefinition(
      `SELECT toString(volume) AS volume FROM polymarket_candles_1m FINAL WHERE token_id = toUInt256('${tokenId(token)}') AND toUnixTimestamp(minute) = ${FIRST + minute * 60}`,
    ),
  );
  return row?.volume;
};
const late = (number: number, minute: number): InsertRow =>
  fill(number, { ts: FIRST + minute * 60 + 7, token_id: tokenId(2), role: "taker", usd: "5" });

test("rows computed after the clock was set back take effect and reach the index, whichever process computes them", async () => {
  await made({ starts: starts(0, MINUTES), left: [] });
  nowMs -= 60_000;
  // A command derives beside the service, and then the service goes on.
  const signal = new AbortController().signal;
  const beside = waitForRoom(store, { clock, log: pino({ level: "silent" }), signal });
  for (const [turn, own] of [store, beside, beside, store, { ...store }].entries()) {
    const [before, fresh] = [await volumeOf(2, 3), MINUTES + 10 + turn];
    await store.insert(fills, [late(9100 + turn, 3), late(9200 + turn, fresh)]);
    await made({ starts: [...starts(3, 4), ...starts(fresh, fresh + 1)], left: [] }, own);
    expect(Number(await volumeOf(2, 3))).toBeGreaterThan(Number(before ?? 0));
    expect(await volumeOf(2, fresh)).toBeDefined();
    await check();
    for (const name of [fills.name, ...Object.keys(fills.copies ?? {})])
      await store.alter(fromDefinition(`DELETE FROM ${name} WHERE toUnixTimestamp(ts) = ${FIRST + fresh * 60 + 7}`));
    await made({ starts: starts(fresh, fresh + 1), left: starts(fresh, fresh + 1) }, own);
    expect(await volumeOf(2, fresh)).toBeUndefined();
    await check();
  }
});

test("an index of a fold's days follows computed and recomputed days, and marks those that were retracted", async () => {
  const wallet = `0x${"ab".repeat(20)}`;
  const held = async (): Promise<Record<string, unknown>[]> => {
    const engine = { fold: sharesFold, store, read: foldReader(store), checkpoints: openCheckpoints(sharesFold) };
    const today = new Date(FIRST * 1000).toISOString().slice(0, 10);
    await foldAll(engine, { sinceMs: 0, closed: today, signal: new AbortController().signal });
    await expect.poll(() => days.behindMs(), { interval: 10, timeout: 20_000 }).toBe(0);
    const reader = days.reader();
    if (reader === undefined) throw new Error("no index");
    const { rows } = reader.page({ limit: 99, budget: 99, by: { column: "wallet", values: [wallet] } });
    const found = rows.rows.map((some, row) => {
      const view = reader.view().move(some, rows.atOf(row));
      const of = (name: string) => view.value(reader.layout.column(name));
      return { day: of("day"), buys: of("buys"), is_gone: of("is_gone"), version: String(of("version")) };
    });
    const stored = fromDefinition(
      `SELECT toUnixTimestamp(toDateTime(day, 'UTC')) AS day, buys, toString(is_gone) AS is_gone, toString(version) AS version FROM wallet_days FINAL WHERE wallet = unhex('${wallet.slice(2)}') ORDER BY day DESC`,
    );
    expect(found).toEqual(await store.rows(stored));
    return found;
  };
  const own = (token: number): InsertRow =>
    fill(5000 + token, { wallet, side: "BUY", ts: FIRST + token, token_id: tokenId(token) });
  await store.insert(fills, [own(0), own(1)]);
  expect(await held()).toMatchObject([{ buys: 2, is_gone: "false" }]);
  await store.insert(fills, [own(2)]);
  expect(await held()).toMatchObject([{ buys: 3, is_gone: "false" }]);
  for (const name of [fills.name, ...Object.keys(fills.copies ?? {})])
    await store.alter(fromDefinition(`DELETE FROM ${name} WHERE wallet = unhex('${wallet.slice(2)}')`));
  expect(await held()).toMatchObject([{ is_gone: "true" }]);
});
