import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appendRows } from "../fixtures/append-rows.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { polymarketTrades } from "../../src/datasets/polymarket-trades.ts";
import type { Coverage } from "../../src/definition/coverage.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";
import { openQuery } from "../../src/query/open-query.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { openTokenIndex, type OpenTokenIndex } from "../../src/serving/feed/open-token-index.ts";
import type { TokenSources } from "../../src/query/served/token-lookups.ts";
import type { ServedSources } from "../../src/query/served/read-served.ts";
import type { PlainRow } from "../../src/serving/batch.ts";
import { ServingReader } from "../../src/serving/reader.ts";
import { ServingWriter } from "../../src/serving/writer.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { saidBy } from "../fixtures/read-columnar.ts";
import { drawOf, NEW_YEAR, randomFills, SPAN_SECONDS } from "./random-fills.ts";
import { checkShrinking } from "./shrink.ts";

const FILLS = 4000;
const QUESTIONS = thoroughly(600, 30);
const BELOW = thoroughly(40, 8);
/** Walks of larger pages end before this limit. */
const MAX_PAGES = thoroughly(80, 3);
const WHOLE: Coverage = { complete: true, from: null, to: null, gaps: [], reasons: [] };
const ANYONE = { mayRead: () => true, maxPage: 10_000, mode: "strict" } as const;
/** Between the ingestion times of the fills: a walk by cursor does not see the later ones. */
const NOW_MS = (NEW_YEAR + 2 * SPAN_SECONDS + 500) * 1000;

const draw = drawOf(seededRandom());
const { below, hex } = draw;
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const wallets = times(25, () => hex(20));
const tokens = [...times(17, () => String(BigInt(hex(32)))), "0", "7", String(2n ** 256n - 1n)];
const conditions = times(9, () => hex(32));
const slugs = times(9, (index) => (index === 4 ? "wählt-köln-%d0" : `market-${index}`));
const OUTCOMES = ["Yes", "", 'a "b" \\ /c', "\u0001\u001f\b\n\u2028\u2029\u007f", "Köln 😀", "\\u001f"];
const info = (token_id: string, index: number) => ({
  token_id,
  condition_id: conditions[index >> 1],
  outcome_index: index & 1,
  outcome: OUTCOMES[index % OUTCOMES.length],
  slug: index === 6 ? "" : slugs[index >> 1],
});
/** Nothing is known about the last tokens. */
const known = tokens.slice(0, 17);

const folder = mkdtempSync(join(tmpdir(), "almanac-oracle-"));
let store: OpenStore;
let index: ServingWriter;
let engineReads = 0;
/** Number of statements that read token metadata. */
let lookups = 0;
let isFresh = true;
/** Reader used in place of the index. */
let instead: ServingReader | undefined;
const failures: unknown[] = [];
const thread = openFeedThread();
let byEngine: Ask;
let byIndex: Ask;
let knownTokens: OpenTokenIndex;
/** Queries with token metadata from its index, or from the engine. */
let askServed: (withTokens: boolean) => Ask;

const askOver = (over: OpenStore, served?: ServedSources, servedTokens?: TokenSources): Ask =>
  openQuery({
    store: over,
    catalogue: [polymarketTrades],
    coverageOf: async () => WHOLE,
    secret: Buffer.from("test"),
    paramsUnknown: "reject",
    now: () => NOW_MS,
    ...(served ? { served } : {}),
    ...(servedTokens ? { servedTokens } : {}),
  });

beforeAll(async () => {
  store = await openTestStore();
  await store.insert(polymarketTokens, known.map(info));
  const fills = randomFills(draw, FILLS, wallets, tokens);
  for (const name of [polymarketFills.name, ...Object.keys(polymarketFills.copies ?? {})])
    await appendRows(store, { ...polymarketFills, name }, fills);
  index = ServingWriter.open(folder, servedFills);
  const rows = await store.rows<Record<string, string>>(
    fromDefinition(
      `SELECT * REPLACE (toString(toUnixTimestamp(ts)) AS ts, concat('0x', lower(hex(tx_hash))) AS tx_hash,
        concat('0x', lower(hex(order_hash))) AS order_hash, concat('0x', lower(hex(wallet))) AS wallet,
        toString(token_id) AS token_id, toString(toUnixTimestamp64Micro(ingested_at)) AS ingested_at) FROM polymarket_fills`,
    ),
  );
  const batch = index.batch();
  for (const row of rows) batch.add(plainRow(row));
  index.apply({ adds: batch, floor: 0 });
  const counting: OpenStore = {
    ...store,
    read: (...requested) => {
      engineReads += 1;
      return store.read(...requested);
    },
    rows: (statement, ...reading) => {
      if (JSON.stringify(statement).includes("token")) lookups += 1;
      return store.rows(statement, ...reading);
    },
  };
  byEngine = askOver(store);
  const log = { info: () => undefined, error: failed };
  knownTokens = openTokenIndex({ store, table: polymarketTokens, folder: join(folder, "tokens"), thread, log });
  store.onChanged(({ name }, left) => name === polymarketTokens.name && knownTokens.changed(left));
  askServed = (withTokens) =>
    askOver(
      counting,
      (name) =>
        name === servedFills.name && isFresh ? { failed, asOf: () => undefined, reader: instead ?? index } : undefined,
      (name) => {
        const reader = name === polymarketTokens.name && withTokens ? knownTokens.reader() : undefined;
        return reader && { reader, failed };
      },
    );
  byIndex = askServed(true);
});

const failed = (cause: unknown): void => void failures.push(cause);

afterAll(async () => {
  await knownTokens.close();
  await thread.end();
  index.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function plainRow(row: Record<string, string>): PlainRow {
  const numbers = new Set(["seconds", "count", "micros"]);
  return Object.fromEntries(
    Object.entries(servedFills.columns).map(([name, { kind }]) => [
      name,
      numbers.has(kind) ? Number(row[name]) : String(row[name]),
    ]),
  );
}

type Requested = { params: Record<string, string>; pagination: Record<string, unknown>; format: string };

const some = (values: readonly string[]): string =>
  times(1 + below(below(8) === 0 ? 12 : 3), () => values[below(values.length)]).join(",");
const decimals = ["0", "0.000001", "1", "10.5", "9007199.254740", "1000000000", "0.3000000", "100"];

function randomQuestion(): Requested {
  const params: Record<string, string> = {};
  const chance = (name: string, odds: number, value: () => string) => {
    if (below(odds) === 0) params[name] = value();
  };
  chance("proxy_wallet", 2, () => some([...wallets, hex(20)]));
  chance("token_id", 4, () => some([...tokens, "12345"]));
  chance("condition_id", 6, () => some([...conditions, hex(32)]));
  chance("market_slug", 6, () => some([...slugs, "nobody-knows"]));
  chance("side", 4, () => ["BUY", "sell"][below(2)] as string);
  chance("role", 4, () => ["maker", "taker"][below(2)] as string);
  chance("min_size", 6, () => decimals[below(decimals.length)] as string);
  chance("min_usd", 6, () => decimals[below(decimals.length)] as string);
  const [from, to] = [below(SPAN_SECONDS), below(SPAN_SECONDS)].toSorted((a, b) => a - b) as [number, number];
  const timestamp = (seconds: number) => String(NEW_YEAR + seconds + below(2) * 0.5);
  chance("start_time", 4, () => timestamp(from));
  chance("end_time", 4, () => timestamp(to + 1));
  const limit = [1, 10, 100, 500, 2000][below(5)];
  const pagination = { limit, ...(below(4) === 0 ? { offset: below(below(3) === 0 ? 6000 : 50) } : {}) };
  return { params, pagination, format: ["raw", "typed", "ndjson"][below(3)] as string };
}

const bodyOf = ({ params, pagination, format }: Requested) => ({
  agent_id: 556,
  params,
  pagination,
  formatter_config: { format_type: format },
});

/** Checks that both answers are equal, including the order keys of the last row in the cursor. */
const checkPage = (requested: Requested): Promise<Answer> => checkShrinking(requested, compared);

async function compared(requested: Requested): Promise<Answer> {
  const [wanted, found] = await Promise.all(
    [byEngine, byIndex].map((ask) => ask(bodyOf(requested), ANYONE, undefined)),
  );
  expect(saidBy(found as Answer)).toEqual(saidBy(wanted as Answer));
  return wanted as Answer;
}

/** Checks a page and those that follow it by cursor; returns how many. */
async function checkWalk(requested: Requested): Promise<number> {
  let answer = await checkPage(requested);
  let pages = 1;
  for (; answer.nextCursor !== null && pages < MAX_PAGES; pages += 1)
    answer = await checkPage({
      ...requested,
      pagination: { limit: requested.pagination["limit"], cursor: answer.nextCursor },
    });
  return pages;
}

test.each([false, true])(
  "the index answers and paginates as the engine does, byte for byte (tokens by key: %s)",
  async (withTokens) => {
    index.apply({ floor: 0 });
    byIndex = askServed(withTokens);
    if (withTokens) await expect.poll(() => knownTokens.reader()).toBeDefined();
    const before = [engineReads, lookups] as const;
    let [pages, deep] = [0, 0];
    for (let question = 0; question < QUESTIONS; question += 1) {
      const requested = randomQuestion();
      if (Number(requested.pagination["offset"] ?? 0) > 5000) deep += 1;
      pages += await checkWalk(requested);
    }
    expect(pages).toBeGreaterThan(QUESTIONS);
    // Only requests with too deep an offset were left to the engine.
    expect(engineReads - before[0]).toBeLessThanOrEqual(deep * 2);
    expect(lookups > before[1]).toBe(!withTokens);
  },
);

test("leaves pages that reach below the floor, or an index that is behind, to the engine", async () => {
  index.apply({ floor: NEW_YEAR + 600 });
  const before = engineReads;
  // The random queries may not reach that far.
  await checkPage({ params: { end_time: String(NEW_YEAR + 300) }, pagination: { limit: 10 }, format: "raw" });
  expect(engineReads).toBe(before + 1);
  for (let question = 0; question < BELOW; question += 1) await checkWalk(randomQuestion());
  expect(engineReads).toBeGreaterThan(before);
  index.apply({ floor: 0 });
  const newest = { params: {}, pagination: { limit: 5 }, format: "raw" };
  await checkPage({ ...newest, pagination: { limit: 6 } });
  const read = engineReads;
  isFresh = false;
  await checkPage(newest);
  isFresh = true;
  expect(engineReads).toBe(read + 1);
});

test("the engine answers if the index cannot be read", async () => {
  instead = ServingReader.open(folder, servedFills);
  const read = engineReads;
  await checkPage({ params: { side: "BUY" }, pagination: { limit: 3 }, format: "raw" });
  expect(engineReads).toBe(read);
  instead?.close();
  await checkPage({ params: { side: "BUY" }, pagination: { limit: 4 }, format: "raw" });
  instead = undefined;
  expect(engineReads).toBe(read + 1);
  expect(failures).toHaveLength(1);
});

test.each([false, true])("answers include new token metadata immediately (tokens by key: %s)", async (withTokens) => {
  byIndex = askServed(withTokens);
  // The engine also finds a token by its old values until it has merged what the previous run stored.
  await store.alter(fromDefinition("OPTIMIZE TABLE polymarket_tokens FINAL"));
  const reported = withTokens ? 5 : 3;
  const condition = conditions[reported >> 1] as string;
  const requested = { params: { token_id: tokens.slice(15).join(",") }, pagination: { limit: 1000 }, format: "raw" };
  await checkPage(requested);
  await checkPage({ ...requested, params: { condition_id: conditions[8] as string } });
  await store.insert(
    polymarketTokens,
    tokens.slice(16).map((token) => info(token, reported)),
  );
  await store.reload("polymarket_token_info");
  const answer = await checkPage(requested);
  expect(answer.body.toString()).not.toContain('"condition_id":null');
  expect(answer.body.toString()).toContain(condition);
  await checkPage({ ...requested, params: { condition_id: condition } });
  if (withTokens) await expect.poll(() => knownTokens.reader()).toBeDefined();
  await checkPage({ ...requested, pagination: { limit: 999 } });
  await checkPage({ params: { condition_id: condition }, pagination: { limit: 999 }, format: "raw" });
});
