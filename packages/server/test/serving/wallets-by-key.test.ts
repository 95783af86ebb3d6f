import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorldStore, type WorldStore } from "../../../../scripts/accuracy/world-store.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-store.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery, type Question } from "../fixtures/open-test-query.ts";
import { drawOf } from "./random-fills.ts";

const SIZE = { seed: 11, fills: 3_000, days: 10, wallets: 800, keep: undefined };
const DAY_MS = 86_400_000;
const WINDOWS = ["1", "3", "7", "15", "30", "90", "all"];
const FORMATS = ["raw", "typed", "ndjson"] as const;
const WALLETS = thoroughly(60, 6);
const ROUNDS = thoroughly(6, 1);

const draw = drawOf(seededRandom());
const pick = <Value>(values: readonly Value[]): Value => values[draw.below(values.length)] as Value;
let world: WorldStore;
let byEngine: ReturnType<typeof openTestQuery>;
let byKey: Awaited<ReturnType<typeof openServedQuery>>;
let days: string[];
let wallets: string[];

beforeAll(async () => {
  world = await openWorldStore(SIZE, ["token_days", "wallet_days"]);
  const found = await world.store.rows<{ day: string; wallet: string }>(
    fromDefinition(
      "SELECT DISTINCT toString(day) AS day, concat('0x', lower(hex(wallet))) AS wallet FROM wallet_days ORDER BY day",
    ),
  );
  days = [...new Set(found.map(({ day }) => day))];
  wallets = [...new Set(found.map(({ wallet }) => wallet))];
}, 180_000);
afterAll(async () => {
  await byKey?.close();
  await world?.close();
});

/** Every day is over, as it was to who worked them out. */
const now = (): number => Date.parse(days.at(-1) as string) + DAY_MS * 1.5;

async function isSame(agentId: number, question: Question): Promise<void> {
  const [wanted, found] = [await byEngine.answer(agentId, question), await byKey.answer(agentId, question)];
  expect(found.body.toString(), JSON.stringify(question)).toBe(wanted.body.toString());
  expect([found.hasMore, found.etag]).toEqual([wanted.hasMore, wanted.etag]);
}

async function areSame(): Promise<void> {
  for (let at = 0; at < WALLETS; at += 1) {
    const params = { proxy_wallet: pick(wallets), window_days: pick(WINDOWS), as_of: pick(days) };
    await isSame(581, { params, format: pick(FORMATS) });
  }
  for (const leaderboard_period of ["1d", "7d", "all"]) {
    const filters = pick([{}, { min_total_pnl: "0" }, { max_win_rate: "0.6", min_total_trades: "2" }]);
    const params = { leaderboard_period, as_of: pick(days), ...filters };
    await isSame(579, { params, format: pick(FORMATS), pagination: { limit: 7, offset: draw.below(9) } });
  }
}

/** Fills like those that are there, of the same wallets on other days. */
async function storeLateFills(): Promise<void> {
  const [first, last] = [days[0], days.at(-1)].map((day) => Date.parse(day as string) / 1000) as [number, number];
  const rows = await world.store.rows<Record<string, string>>(
    fromDefinition(
      "SELECT * REPLACE (toUnixTimestamp(ts) AS ts, concat('0x', lower(hex(tx_hash))) AS tx_hash, concat('0x', lower(hex(order_hash))) AS order_hash, concat('0x', lower(hex(wallet))) AS wallet, toString(token_id) AS token_id, toString(shares) AS shares, toString(usd) AS usd, toString(fee_usd) AS fee_usd) EXCEPT (ingested_at) FROM polymarket_fills ORDER BY rand() LIMIT 20",
    ),
  );
  const late: InsertRow[] = [];
  for (const row of rows) late.push({ ...row, tx_hash: draw.hex(32), ts: first + draw.below(last - first) });
  await world.store.insert(polymarketFills, late);
  const closed = days.at(-1) as string;
  const engine = { fold: walletFold, store: world.store, read: foldReader(world.store) };
  await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal });
  await byKey.caughtUp();
}

test("a wallet folded when it is asked for, and a board in memory, say what the engine says, also after late fills", async () => {
  byEngine = openTestQuery(world.store, now);
  byKey = await openServedQuery(world.store, now);
  await areSame();
  for (let round = 0; round < ROUNDS; round += 1) {
    await storeLateFills();
    await areSame();
  }
  expect(byKey.counts.engine).toBe(0);
  expect(byKey.counts.index).toBeGreaterThan(0);
  expect(byKey.failures).toEqual([]);
}, 240_000);
