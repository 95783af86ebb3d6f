import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom, testSeed } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { kalshiMarketsDataset } from "../../src/datasets/kalshi-markets.ts";
import { polymarketMarketsDataset } from "../../src/datasets/polymarket-markets.ts";
import { polymarketTagsDataset } from "../../src/datasets/polymarket-tags.ts";
import type { Coverage } from "../../src/definition/coverage.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import { asOfSnapshot } from "../../src/definition/table-sql.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";
import { readCursor } from "../../src/query/cursor.ts";
import { openQuery } from "../../src/query/open-query.ts";
import type { ListSources } from "../../src/query/served/read-listed.ts";
import { openList, type OpenList } from "../../src/serving/list/open-list.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { saidBy } from "../fixtures/read-columnar.ts";
import { drawOf } from "./random-fills.ts";
import { randomLists, type RandomList } from "./random-lists.ts";

const ROWS = 400;
const ROUNDS = thoroughly(10, 2);
const QUESTIONS = thoroughly(30, 9);
const MAX_PAGES = thoroughly(6, 3);
const WHOLE: Coverage = { complete: true, from: null, to: null, gaps: [], reasons: [] };
const ANYONE = { mayRead: () => true, maxPage: 10_000, mode: "strict" } as const;
const SECRET = Buffer.from("test");

/** Ahead of the clock, which stamps row versions, and fixed, since cursors expire. */
const NOW_MS = Date.now() + 60_000;

const draw = drawOf(seededRandom());
const { below } = draw;
const random = randomLists(draw);
const LISTS: readonly [string, DatasetDefinition, RandomList][] = [
  ["polymarket-markets", polymarketMarketsDataset, random.markets],
  ["kalshi-markets", kalshiMarketsDataset, random.kalshi],
  ["polymarket-tags", polymarketTagsDataset, random.tags],
];
const folder = mkdtempSync(join(tmpdir(), "almanac-lists-"));
const lists = new Map<string, OpenList>();
const failures: unknown[] = [];
const requested = { index: 0, engine: 0 };
let store: OpenStore;
let byEngine: Ask;
let byList: Ask;

const tableOf = (dataset: DatasetDefinition): TableDefinition => dataset.tables[0] as TableDefinition;
const rows = (list: RandomList, count: number, end: number): InsertRow[] => {
  const indexes = new Set(Array.from({ length: count }, () => below(end)));
  return [...indexes].map((index) => list.row(index));
};

const askOver = (listed?: ListSources): Ask =>
  openQuery({
    store,
    catalogue: LISTS.map(([, dataset]) => dataset),
    coverageOf: async () => WHOLE,
    secret: SECRET,
    paramsUnknown: "reject",
    now: () => NOW_MS,
    countServed: (by) => (requested[by] += 1),
    vocabularies: (table) => lists.get(table)?.latest(),
    ...(listed ? { listed } : {}),
  });
beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => lists.get(name)?.changed(left));
  for (const [, dataset, list] of LISTS) {
    const table = tableOf(dataset);
    await store.insert(table, rows(list, ROWS, ROWS));
    await store.insert(table, rows(list, ROWS, ROWS));
    lists.set(table.name, open(dataset));
  }
  byEngine = askOver();
  byList = askOver((table) => {
    const current = lists.get(table)?.reader();
    return current && { ...current, failed: (cause) => failures.push(cause) };
  });
});

afterAll(async () => {
  for (const list of lists.values()) await list.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(dataset: DatasetDefinition): OpenList {
  const log = { info: () => undefined, error: (cause: unknown) => failures.push(cause) };
  return openList({ store, dataset, folder: join(folder, tableOf(dataset).name), log });
}

const settled = (dataset: DatasetDefinition) =>
  expect.poll(() => lists.get(tableOf(dataset).name)?.reader(), { interval: 5, timeout: 20_000 }).toBeDefined();

type Requested = {
  agent_id: number;
  params: Record<string, string>;
  pagination: object;
  formatter_config: { format_type?: string | undefined };
};

function randomQuestion({ agentId }: DatasetDefinition, list: RandomList): Requested {
  const pagination = {
    limit: [1, 10, 50, 500][below(4)],
    ...(below(4) === 0 ? { offset: below(below(3) === 0 ? 600 : 50) } : {}),
  };
  const format_type = ["raw", "raw", "typed", "ndjson", "csv"][below(5)];
  return { agent_id: agentId, params: list.params(ROWS), pagination, formatter_config: { format_type } };
}

/** Checks that both answers are equal, including the order keys and the snapshot in the cursor. */
async function checkPage(question: Requested): Promise<Answer> {
  const [wanted, found] = await Promise.all([byEngine, byList].map((ask) => ask(question, ANYONE, undefined)));
  const what = `seed ${testSeed()}: ${JSON.stringify(question)}`;
  expect(found?.body.toString(), what).toBe(wanted?.body.toString());
  expect(saidBy(found as Answer), what).toEqual(saidBy(wanted as Answer));
  return wanted as Answer;
}

/** Checks a page and some of those that follow it by cursor; returns the request for the next page. */
async function checkWalk(question: Requested, pages = MAX_PAGES): Promise<Requested | undefined> {
  let next: Requested | undefined = question;
  for (let page = 0; next !== undefined && page < pages; page += 1) {
    const { limit, nextCursor } = await checkPage(next);
    next = nextCursor === null ? undefined : { ...question, pagination: { limit, cursor: nextCursor } };
  }
  return next;
}

test.each(LISTS)(
  "%s: the list answers what the engine answers, byte for byte, while rows change and arrive",
  async (_name, dataset, list) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await settled(dataset);
      const before = requested.index;
      const begun: (Requested | undefined)[] = [];
      // Distinct requests except for documents: a repeated one is answered from the cache.
      const listed = new Set<string>();
      for (let count = 0; count < QUESTIONS; count += 1) {
        const question = randomQuestion(dataset, list);
        if (question.formatter_config.format_type !== "csv") listed.add(JSON.stringify(question));
        begun.push(await checkWalk(question, 1 + below(MAX_PAGES)));
      }
      expect(requested.index - before).toBeGreaterThanOrEqual(listed.size);
      await store.insert(tableOf(dataset), rows(list, 1 + below(60), ROWS + round * 10));
      // Walks begun earlier continue on the rows of their snapshot.
      for (const question of begun.filter((one) => one !== undefined).slice(0, 3)) await checkWalk(question, 2);
    }
    expect(failures).toEqual([]);
  },
  thoroughly(600_000, 120_000),
);

test("a walk sees every row of its snapshot once while others are stored", async () => {
  const [dataset, table] = [polymarketMarketsDataset, tableOf(polymarketMarketsDataset)];
  await settled(dataset);
  const storing = { isOver: false, batches: Promise.resolve() };
  storing.batches = (async () => {
    for (let batch = 0; batch < 12; batch += 1) {
      await store.insert(table, rows(random.markets, 20, 2 * ROWS));
      if (batch % 2 === 0) await settled(dataset);
    }
    storing.isOver = true;
  })();
  const before = requested.index;
  for (let [limit, isLast] = [50, false]; !isLast; limit += 1) {
    isLast = storing.isOver;
    if (isLast) await settled(dataset);
    const question = { agent_id: dataset.agentId, params: { sort_by: "liquidity" } };
    const seen: string[] = [];
    let [snapshot, cursor] = ["", undefined as string | null | undefined];
    const were = { ...requested };
    while (cursor !== null) {
      const pagination = { limit, ...(cursor === undefined ? {} : { cursor }) };
      const { body, nextCursor } = await byList({ ...question, pagination }, ANYONE, undefined);
      // A first page from the engine may contain rows stored after its snapshot was chosen.
      if (requested.index === were.index && requested.engine > were.engine) break;
      const page = JSON.parse(body.toString("utf8")) as { condition_id: string }[];
      seen.push(...page.map((row) => row.condition_id));
      snapshot = nextCursor === null ? snapshot : (readCursor(SECRET, nextCursor)?.snapshot ?? "");
      cursor = nextCursor;
    }
    if (cursor !== null) continue;
    const then = asOfSnapshot(table, bind("UInt64", snapshot));
    const stored = await store.rows<{ id: string }>(
      sql`SELECT concat('0x', lower(hex(condition_id))) AS id FROM ${then} ORDER BY id`,
    );
    expect(seen.toSorted()).toEqual(stored.map(({ id }) => id));
  }
  await storing.batches;
  expect(requested.index).toBeGreaterThan(before);
});

test("detects deleted rows and rebuilds the list", async () => {
  const dataset = polymarketTagsDataset;
  await settled(dataset);
  await store.alter(fromDefinition("DELETE FROM polymarket_tags WHERE toUInt64(tag_id) % 7 = 0"));
  store.changed(tableOf(dataset));
  lists.get("polymarket_tags")?.changed("unknown");
  await settled(dataset);
  const before = requested.index;
  await checkPage({ agent_id: 1107, params: {}, pagination: { limit: 10_000 }, formatter_config: {} });
  expect(requested.index).toBe(before + 1);
});

const sorted = (sort_by: string, limit: number) =>
  checkPage({ agent_id: 565, params: { sort_by }, pagination: { limit }, formatter_config: {} });

test("leaves requests to the engine if the list cannot hold their values exactly or cannot be read", async () => {
  const dataset = kalshiMarketsDataset;
  const exact = random.kalshi.row(3 * ROWS);
  await store.insert(tableOf(dataset), [{ ...exact, volume: "9007199254.740993" }]);
  await settled(dataset);
  const before = requested.index;
  await sorted("volume", 20);
  expect(requested.index).toBe(before);
  await sorted("close_time", 20);
  expect(requested.index).toBe(before + 1);
  truncateSync(join(folder, "kalshi_markets", "rows"));
  await sorted("open_interest", 499);
  expect(failures.splice(0)).toHaveLength(1);
  expect(requested.index).toBe(before + 1);
  lists.get("kalshi_markets")?.renew();
  await settled(dataset);
  await sorted("open_interest", 498);
  expect(requested.index).toBe(before + 2);
});

test("keeps no list of a table with more rows than a list may have", async () => {
  const list = openList({
    store,
    dataset: polymarketMarketsDataset,
    folder: join(folder, "few"),
    maxRows: 10,
    log: { info: () => undefined, error: (cause: unknown) => failures.push(cause) },
  });
  await expect.poll(() => list.behindMs()).toBe(0);
  expect(list.reader()).toBeUndefined();
  await list.close();
});

test("converts letters to lower case as the engine does", async () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
  const capitals = all.map((code) => String.fromCodePoint(code)).filter((text) => text.toLowerCase() !== text);
  const text = `${capitals.join(" ")} ΟΔΟΣ ΑΣ ΣΑΣ.Σ`;
  const [row] = await store.rows<{ small: string }>(sql`SELECT lowerUTF8(${bind("String", text)}) AS small`);
  expect(row?.small).toBe(text.toLowerCase());
});
