import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openIndexes, type Indexes } from "../../src/main/open-indexes.ts";
import { SERVED } from "../../src/main/served-tables.ts";
import { readParts } from "../../src/serving/feed/stored-parts.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market, table } from "../fixtures/sample-rows.ts";

const LISTED = ["polymarket_markets", "kalshi_markets", "polymarket_tags"];
const folder = mkdtempSync(join(tmpdir(), "almanac-indexes-"));
let store: OpenStore;

beforeAll(async () => void (store = await openTestStore()));
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(change: object, metrics = new Registry(), of = store): Indexes {
  const config = { role: "all", clickhouseUrl: undefined, dataDir: folder, servingBytes: 1e9, ...change } as const;
  return openIndexes(config, { store: of, log: pino({ level: "silent" }), metrics });
}

const isRead = (indexes: Indexes, name: string) =>
  expect.poll(() => indexes.lists(name), { interval: 5, timeout: 20_000 }).toBeDefined();

test("reads only the parts of empty tables at each start, and indexes rows stored later", async () => {
  const dataDir = join(folder, "empty");
  const requested: string[] = [];
  const watched: OpenStore = {
    ...store,
    read: (statement, reading) => {
      requested.push(statement.text);
      return store.read(statement, reading);
    },
    rows: (statement, reading) => {
      requested.push(statement.text);
      return store.rows(statement, reading);
    },
  };
  const names = SERVED.map(({ served }) => served.name);
  const areOpen = (indexes: Indexes) =>
    expect.poll(() => names.filter((name) => indexes.sources(name) === undefined), { interval: 5 }).toEqual([]);
  for (let start = 0; start < 2; start += 1) {
    const indexes = open({ dataDir }, undefined, watched);
    await areOpen(indexes);
    await indexes.close();
    expect(requested.filter((text) => text.includes(" AS v_wallet") || text.includes("GROUP BY day"))).toEqual([]);
  }
  const markets = table("polymarket_markets");
  const indexes = open({ dataDir }, undefined, watched);
  await areOpen(indexes);
  await store.insert(markets, [market(9)]);
  await expect.poll(() => indexes.sources(markets.name)?.reader.days.all().get(0)?.count).toBe(1);
  await indexes.close();
  await store.alter(fromDefinition("TRUNCATE TABLE polymarket_markets"));
});

test("shares a statement among tables whose parts are requested at once or while others are read", async () => {
  let statements = 0;
  const counted: Pick<OpenStore, "rows"> = {
    rows: (statement, reading) => {
      statements += 1;
      return store.rows(statement, reading);
    },
  };
  const first = ["polymarket_markets", "polymarket_fills"].map((name) => readParts(counted, name));
  await expect.poll(() => statements, { interval: 1 }).toBe(1);
  const later = ["polymarket_fills", "kalshi_trades", "no_such_table"].map((name) => readParts(counted, name));
  const [markets, fills] = await Promise.all(first);
  const [fillsAgain, trades, none] = await Promise.allSettled(later);
  expect(statements).toBe(2);
  expect(new Set([markets?.id, fills?.id]).size).toBe(2);
  expect(fillsAgain).toMatchObject({ value: fills });
  expect(trades).toMatchObject({ value: { parts: [], isChanging: false } });
  expect(none).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("no_such_table") } });
});

test("keeps lists of the catalogues, follows changes, and rebuilds a list that cannot be read", async () => {
  const metrics = new Registry();
  const indexes = open({}, metrics);
  for (const name of LISTED) await isRead(indexes, name);
  await store.insert(table("polymarket_markets"), [market(1), market(2)]);
  await isRead(indexes, "polymarket_markets");
  const source = indexes.lists("polymarket_markets");
  expect(source?.list.count()).toBe(2);
  expect(await metrics.getSingleMetricAsString("almanac_serving_behind_seconds")).toContain(
    '{table="kalshi_markets"} 0',
  );
  source?.failed(new Error("torn"));
  expect(indexes.lists("polymarket_markets")).toBeUndefined();
  await isRead(indexes, "polymarket_markets");
  expect(indexes.lists("polymarket_markets")?.list).not.toBe(source?.list);
  await indexes.close();
});

test("keeps both the index and the list of a table that has both, also after a restart", async () => {
  const metrics = new Registry();
  const [name] = LISTED as [string];
  const files = (): string[] => globSync(`serving/${name}/{rows,*/index.db}`, { cwd: folder });
  const indexOf = (indexes: Indexes) => indexes.sources(name)?.reader;
  const areRead = async (indexes: Indexes, rows: number): Promise<void> => {
    const counts = () => [indexes.lists(name)?.list.count(), indexOf(indexes)?.days.all().get(0)?.count];
    await expect.poll(counts, { interval: 5, timeout: 20_000 }).toEqual([rows, rows]);
  };
  const first = open({}, metrics);
  await areRead(first, 2);
  await store.insert(table(name), [market(2), market(3)]);
  await areRead(first, 3);
  expect(await metrics.getSingleMetricAsString("almanac_serving_behind_seconds")).toContain(`{table="${name}"} 0`);
  first.lists(name)?.failed(new Error("torn"));
  expect([first.lists(name), indexOf(first)]).toEqual([undefined, expect.anything()]);
  await first.close();
  const index = files().find((file) => file.endsWith("index.db")) as string;
  const { ino } = statSync(join(folder, index));
  const again = open({});
  await areRead(again, 3);
  expect(files().length).toBe(2);
  expect(statSync(join(folder, index)).ino).toBe(ino);
  await again.close();
});

test("only the first of two processes sharing a folder opens the lists", async () => {
  const first = open({});
  await isRead(first, "kalshi_markets");
  const second = open({});
  await second.close();
  expect(second.lists("kalshi_markets")).toBeUndefined();
  await first.close();
  const third = open({});
  await isRead(third, "kalshi_markets");
  await third.close();
});

test.each([{ servingBytes: 0 }, { role: "api" }, { clickhouseUrl: "http://127.0.0.1:1" }])(
  "opens no lists with %o",
  async (change) => {
    const indexes = open(change);
    for (const name of LISTED) expect(indexes.lists(name)).toBeUndefined();
    await indexes.close();
  },
);
