import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryAsync } from "chdb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../exchange/src/generate/generate.ts";
import { tables } from "../../src/catalogue.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { loadFolder } from "../../src/main/load/load-folder.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { readTruth } from "./read-truth.ts";

const folder = mkdtempSync(join(tmpdir(), "load-ledger-"));
let store: OpenStore;

const load = (from = folder): ReturnType<typeof loadFolder> =>
  loadFolder(store, from, { tables, derivations: [] }, () => undefined, {
    clock: systemClock,
    signal: new AbortController().signal,
  });
const rows = (text: string): Promise<Record<string, unknown>[]> => store.rows(fromDefinition(text));

beforeAll(async () => {
  await generate({ fills: 40_000, out: folder, seed: 5, days: 20 });
  store = await openTestStore();
  await load();
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const MOVES = `
  SELECT wallet, token_id, if(side = 'BUY', shares, -shares) AS delta FROM polymarket_fills
  UNION ALL SELECT wallet, change.1 AS token_id, change.2 AS delta FROM polymarket_position_changes
    ARRAY JOIN arrayZip(token_ids, token_deltas) AS change WHERE NOT is_inner
  UNION ALL SELECT from_wallet AS wallet, token_id, -shares AS delta FROM polymarket_transfers
  UNION ALL SELECT to_wallet AS wallet, token_id, shares AS delta FROM polymarket_transfers`;

test.each(["nothing-here", "truth"])("a folder without tables (%s) is reported as not found", async (name) => {
  await expect(load(join(folder, name))).rejects.toMatchObject({ exitCode: 3 });
});

describe("a generated world in the store", () => {
  test("gives every wallet its true cash, to the millionth of a dollar", async () => {
    const cash = await rows(`
      SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(toInt64(sum(usd) * 1000000)) AS micro FROM (
        SELECT wallet, toDecimal128(if(side = 'SELL', usd, -usd) - fee_usd, 6) AS usd FROM polymarket_fills
        UNION ALL SELECT wallet, toDecimal128(usd_delta, 6) AS usd FROM polymarket_position_changes WHERE NOT is_inner)
      GROUP BY wallet`);
    const micros = new Map(cash.map((row) => [row["wallet"], Number(row["micro"])]));
    const truth = await readTruth(join(folder, "truth/wallets.parquet"));
    const wrong = truth.filter(({ wallet, cash_pnl_micro }) => (micros.get(wallet) ?? 0) !== Number(cash_pnl_micro));
    expect(truth.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });

  test("leaves no wallet with a negative number of shares, and has only valid, unique transfers", async () => {
    expect(await rows(`SELECT 1 FROM (${MOVES}) GROUP BY wallet, token_id HAVING sum(delta) < 0`)).toEqual([]);
    const [sent] = await rows(
      "SELECT toUInt32(count()) AS n, toUInt32(countIf(from_wallet = to_wallet OR shares <= 0)) AS wrong, toUInt32(uniqExact(tx_hash, log_index, place)) AS places FROM polymarket_transfers",
    );
    expect(sent).toEqual({ n: expect.any(Number) as number, wrong: 0, places: sent?.["n"] });
    expect(sent?.["n"]).toBeGreaterThan(50);
  });

  test("matches each conversion with the questions of its neg-risk market", async () => {
    const [conversions] = await rows(`
      SELECT toUInt32(count()) AS n, toUInt32(countIf(given != index_set)) AS wrong FROM (
        SELECT c.tx_hash, any(index_set) AS index_set, sumIf(bitShiftLeft(toUInt256(1), question_index), delta < 0) AS given
        FROM (SELECT tx_hash, market_id, index_set, change.1 AS token_id, change.2 AS delta FROM polymarket_position_changes
          ARRAY JOIN arrayZip(token_ids, token_deltas) AS change WHERE kind = 'conversion') AS c
        JOIN polymarket_tokens AS t ON t.token_id = c.token_id
        JOIN polymarket_neg_risk_questions AS q ON q.condition_id = t.condition_id AND q.market_id = c.market_id
        GROUP BY c.tx_hash)`);
    expect(conversions?.["n"]).toBeGreaterThan(5);
    expect(conversions?.["wrong"]).toBe(0);
    const lost = await rows(
      "SELECT 1 FROM polymarket_markets WHERE neg_risk AND neg_risk_market_id NOT IN (SELECT concat('0x', lower(hex(market_id))) FROM polymarket_neg_risk_questions)",
    );
    expect(lost).toEqual([]);
  });

  test("pays redemptions at the stored payouts, after the resolution", async () => {
    const [redemptions] = await rows(`
      SELECT toUInt32(count()) AS n, toUInt32(countIf(abs(paid - usd_delta) > 0.000001)) AS wrong, toUInt32(countIf(early)) AS early
      FROM (SELECT c.tx_hash, any(usd_delta) AS usd_delta, sum(-change.2 * payouts[outcome_index + 1]) AS paid,
          max((c.ts, c.block_number, c.log_index) <= (r.ts, r.block_number, r.log_index)) AS early
        FROM (SELECT tx_hash, ts, block_number, log_index, condition_id, usd_delta, change FROM polymarket_position_changes
          ARRAY JOIN arrayZip(token_ids, token_deltas) AS change WHERE kind = 'redemption') AS c
        JOIN polymarket_tokens AS t ON t.token_id = change.1
        JOIN polymarket_resolutions AS r ON r.condition_id = c.condition_id
        GROUP BY c.tx_hash)`);
    expect(redemptions?.["n"]).toBeGreaterThan(500);
    expect(redemptions).toMatchObject({ wrong: 0, early: 0 });
  });

  test("stores nothing more when the load is repeated", async () => {
    const loaded = await load();
    expect(loaded.map(({ stored }) => stored)).toEqual(loaded.map(() => 0));
  });

  test("rejects a file that lacks a column of the table it is named after, and a folder without tables", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    await expect(load(other)).rejects.toThrow(/named after a table/);
    const file = join(other, "polymarket_tokens.parquet");
    await queryAsync(
      `INSERT INTO FUNCTION file('${file}', Parquet) SELECT toUInt256(1) AS token_id, toFixedString('', 32) AS condition_id, 0 AS outcome_index, '' AS outcome`,
    );
    await expect(load(other)).rejects.toThrow(/slug/);
  });
});
