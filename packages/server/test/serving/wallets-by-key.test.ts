import { setImmediate as nextRound } from "node:timers/promises";
import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { datasets } from "../../src/catalogue.ts";
import type { ServedKeyed } from "../../src/definition/served-keyed.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { openSmallWorld } from "../fixtures/open-small-world.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery, type Question } from "../fixtures/open-test-query.ts";
import { saidBy } from "../fixtures/read-columnar.ts";
import { drawOf } from "./random-fills.ts";

const SIZE = { seed: 11, fills: 3_000, days: 10, wallets: 800 };
const DAY_MS = 86_400_000;
const WINDOWS = ["1", "3", "7", "15", "30", "90", "all"];
const TEXTS = ["raw", "typed", "ndjson"] as const;
const DOCUMENTS = ["csv", "parquet", "arrow"] as const;
const FORMATS = [...TEXTS, ...DOCUMENTS];
const WALLETS = thoroughly(60, 4);
const ROUNDS = thoroughly(6, 1);

const draw = drawOf(seededRandom());
const pick = <Value>(values: readonly Value[]): Value => values[draw.below(values.length)] as Value;
let world: OpenStore;
/** Keeps nothing between queries except boards, which are refreshed. */
let again: ReturnType<typeof openTestQuery>;
/** Without an index. */
let byRows: ReturnType<typeof openTestQuery>;
let statements = 0;
let byKey: Awaited<ReturnType<typeof openServedQuery>>;
let days: string[];
let wallets: string[];
let conditions: string[];

beforeAll(async () => {
  world = await openSmallWorld(SIZE);
  const found = await world.rows<{ day: string; wallet: string }>(
    fromDefinition(
      "SELECT DISTINCT toString(day) AS day, concat('0x', lower(hex(wallet))) AS wallet FROM wallet_days ORDER BY day",
    ),
  );
  days = [...new Set(found.map(({ day }) => day))];
  wallets = [...new Set(found.map(({ wallet }) => wallet))];
  const reported = await world.rows<{ condition: string }>(
    fromDefinition("SELECT DISTINCT concat('0x', lower(hex(condition_id))) AS condition FROM polymarket_tokens"),
  );
  conditions = reported.map(({ condition }) => condition);
});
afterAll(async () => {
  await byKey?.close();
  await world?.close();
});

/** Counts pages read by statements of datasets: keyed rows and boards use other formats, documents are sent rows. */
const counting = (store: OpenStore): OpenStore => ({
  ...store,
  read: (statement, reading) => {
    const isOfPage = reading?.format !== "Native" && reading?.format !== "TabSeparated" && reading?.sent === undefined;
    if (isOfPage) statements += 1;
    return store.read(statement, reading);
  },
});

/** Every day is over, as it was when its figures were computed. */
const now = (): number => Date.parse(days.at(-1) as string) + DAY_MS * 1.5;

async function isSame(agentId: number, question: Question): Promise<string | null> {
  const { nextCursor, ...expected } = saidBy(await again.answer(agentId, question));
  for (const query of [byKey, byRows]) {
    const { nextCursor: _, ...found } = saidBy(await query.answer(agentId, question));
    expect(found, JSON.stringify(question)).toEqual(expected);
  }
  return nextCursor;
}

/** Walks pages of several wallets at once, of all data computed from their ledgers and days. */
async function areSameOfMany(format: (typeof FORMATS)[number]): Promise<void> {
  const some = Array.from({ length: 1 + draw.below(4) }, () => pick(wallets)).join(",");
  const condition_id = pick(conditions);
  for (const [agentId, params] of [
    [581, { proxy_wallet: some, window_days: pick(WINDOWS) }],
    [569, { wallet: some, granularity: pick(["1d", "1w", "all"]) }],
    [586, { wallet_address: some }],
    [1003, { proxy_wallet: some, interval: pick(["1d", "1w"]) }],
    [1002, { proxy_wallet: some, end_time: pick(days) }],
    [1002, { proxy_wallet: some, kind: pick(["buy", "resolution", "redemption", "reward"]) }],
    [569, { wallet: some, granularity: "1d", condition_id, method: pick(["average", "fifo"]) }],
    [1001, { proxy_wallet: some, as_of: pick(days) }],
    [1001, { proxy_wallet: some, condition_id }],
  ] as const)
    await areSamePages(agentId, { params, format });
}

const MAX_PAGES = thoroughly(3, 2);

async function areSamePages(
  agentId: number,
  { params, format }: Required<Pick<Question, "params" | "format">>,
): Promise<void> {
  const limit = 1 + draw.below(agentId === 1002 ? 40 : 5);
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    cursor = await isSame(agentId, { params, format, pagination: { limit, ...(cursor ? { cursor } : {}) } });
    if (cursor === null) return;
  }
}

async function areSame(): Promise<void> {
  for (let at = 0; at < WALLETS; at += 1) {
    const params = { proxy_wallet: pick(wallets), window_days: pick(WINDOWS), as_of: pick(days) };
    await isSame(581, { params, format: pick(FORMATS) });
  }
  for (const format of [pick(TEXTS), pick(DOCUMENTS)]) await areSameOfMany(format);
  for (const leaderboard_period of ["1d", "7d", "all"]) {
    const filters = pick([{}, { min_total_pnl: "0" }, { max_win_rate: "0.6", min_total_trades: "2" }]);
    const params = { leaderboard_period, as_of: pick(days), ...filters };
    await isSame(579, { params, format: pick(FORMATS), pagination: { limit: 7, offset: draw.below(9) } });
  }
}

/** Stores copies of existing fills, of the same wallets on other days. */
async function storeLateFills(): Promise<void> {
  const [first, last] = [days[0], days.at(-1)].map((day) => Date.parse(day as string) / 1000) as [number, number];
  const rows = await world.rows<Record<string, string>>(
    fromDefinition(
      "SELECT * REPLACE (toUnixTimestamp(ts) AS ts, concat('0x', lower(hex(tx_hash))) AS tx_hash, concat('0x', lower(hex(order_hash))) AS order_hash, concat('0x', lower(hex(wallet))) AS wallet, toString(token_id) AS token_id, toString(shares) AS shares, toString(usd) AS usd, toString(fee_usd) AS fee_usd) EXCEPT (ingested_at) FROM polymarket_fills ORDER BY rand() LIMIT 20",
    ),
  );
  const late: InsertRow[] = [];
  for (const row of rows) late.push({ ...row, tx_hash: draw.hex(32), ts: first + draw.below(last - first) });
  await world.insert(polymarketFills, late);
  const closed = days.at(-1) as string;
  const engine = {
    fold: walletFold,
    store: world,
    read: foldReader(world),
    checkpoints: openCheckpoints(walletFold),
  };
  await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal });
  await byKey.caughtUp();
}

/** Number of event loop rounds while a page is computed from the indexes. */
async function roundsOf(agentId: number, question: Question): Promise<number> {
  const { index, engine } = byKey.counts;
  const done = { isOver: false };
  const answered = byKey.answer(agentId, question).finally(() => (done.isOver = true));
  let rounds = 0;
  for (; !done.isOver; rounds += 1) await nextRound();
  await answered;
  expect(byKey.counts, JSON.stringify(question)).toEqual({ index: index + 1, engine });
  return rounds;
}

/** Requests wallets that together have more rows than are read without yielding to the event loop. */
async function areSameBesideOthers(): Promise<void> {
  for (const agentId of [581, 1001, 1003]) {
    const ask = (limit: number, count: number): Question => ({
      params: { proxy_wallet: wallets.slice(0, count).join(",") },
      format: "raw",
      pagination: { limit },
    });
    await isSame(agentId, ask(150, 120));
    // Each index is opened in an event loop round of its own, and its rows are processed in others.
    const served = datasets.find((dataset) => dataset.agentId === agentId)?.served as ServedKeyed;
    const more = served.tables.length + 1;
    expect(await roundsOf(agentId, ask(149, 120))).toBeGreaterThanOrEqual(
      (await roundsOf(agentId, ask(149, 1))) + more,
    );
  }
}

test("wallets folded on request and boards in memory equal the engine's answers, also after late fills", async () => {
  again = openTestQuery(world, now);
  byRows = openTestQuery(counting(world), now, undefined, false, undefined, { isAlone: true });
  byKey = await openServedQuery(world, now);
  await areSame();
  await areSameBesideOthers();
  for (let round = 0; round < ROUNDS; round += 1) {
    await storeLateFills();
    await areSame();
  }
  expect(statements).toBe(0);
  expect(byKey.counts.engine).toBe(0);
  expect(byKey.counts.index).toBeGreaterThan(0);
  expect(byKey.failures).toEqual([]);
});
