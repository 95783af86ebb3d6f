import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryAsync } from "chdb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate, type GenerateReport } from "../../src/generate/generate.ts";

const folder = mkdtempSync(join(tmpdir(), "generate-"));
let report: GenerateReport;

async function rows(sql: string, out = join(folder, "a")): Promise<Record<string, unknown>[]> {
  const text = sql.replaceAll(/@([\w/*.]+)/g, (_, path: string) => `file('${out}/${path}.parquet', Parquet)`);
  const result = await queryAsync(text, { format: "JSONEachRow" });
  const lines = result.text().split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

beforeAll(async () => {
  report = await generate({ fills: 30_000, out: join(folder, "a"), seed: 3, days: 8 });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a generated world", () => {
  test("has the fills that were asked for, each with an id of its own", async () => {
    const [counts] = await rows(
      "SELECT toUInt32(count()) AS fills, toUInt32(uniqExact(tx_hash, log_index)) AS ids, toUInt32(uniqExact(tx_hash)) AS matches, toUInt32(uniqExact(block_number, log_index)) AS places FROM @fills/*",
    );
    expect(report.fills).toBeGreaterThanOrEqual(30_000);
    expect(counts).toEqual({ fills: report.fills, ids: report.fills, matches: report.matches, places: report.fills });
    expect(readdirSync(join(folder, "a"))).not.toContain("tmp");
  });

  test("each match has one taker, and its makers fill it exactly", async () => {
    const wrong = await rows(
      "SELECT hex(tx_hash) FROM @fills/* GROUP BY tx_hash HAVING countIf(role = 'taker') != 1 OR sumIf(shares_micro, role = 'maker') != sumIf(shares_micro, role = 'taker') OR sumIf(if(kind = 'complementary', usd_micro, shares_micro - usd_micro), role = 'maker') != sumIf(usd_micro, role = 'taker') OR sumIf(fee_micro, role = 'maker') != 0",
    );
    expect(wrong).toEqual([]);
  });

  test("every wallet's cash is the sum of its rows, to the micro dollar", async () => {
    const wrong = await rows(
      `WITH cash AS (
        SELECT wallet, sum(usd) AS pnl FROM (
          SELECT wallet, if(side = 'BUY', -usd_micro, usd_micro) - fee_micro AS usd FROM @fills/*
          UNION ALL SELECT wallet, usd_micro AS usd FROM @operations/*) GROUP BY wallet)
      SELECT t.wallet FROM @truth/wallets AS t LEFT JOIN (SELECT concat('0x', lower(hex(wallet))) AS wallet, pnl FROM cash) AS c
      ON c.wallet = t.wallet WHERE t.cash_pnl_micro != c.pnl`,
    );
    expect(wrong).toEqual([]);
  });

  test("nobody ends below zero, and the markets of the fills are in the list with their volume", async () => {
    const below = await rows(
      `SELECT 1 FROM (
        SELECT wallet, condition_id, if(outcome_index = 0, 1, 0) * if(side = 'BUY', 1, -1) * shares_micro AS yes,
          if(outcome_index = 1, 1, 0) * if(side = 'BUY', 1, -1) * shares_micro AS no FROM @fills/*
        UNION ALL SELECT wallet, condition_id, yes_micro, no_micro FROM @operations/*)
      GROUP BY wallet, condition_id HAVING sum(yes) < 0 OR sum(no) < 0`,
    );
    expect(below).toEqual([]);
    const wrong = await rows(
      `SELECT m.condition_id FROM @markets AS m LEFT JOIN (
        SELECT concat('0x', lower(hex(condition_id))) AS id, sumIf(usd_micro, role = 'taker') AS usd,
          any(toString(reinterpretAsUInt256(reverse(token_id)))) AS token FROM @fills/* GROUP BY condition_id) AS f
      ON f.id = m.condition_id WHERE f.usd != m.volume_micro OR (f.token NOT IN (m.token_id_a, m.token_id_b) AND f.usd > 0)`,
    );
    expect(wrong).toEqual([]);
    const [count] = await rows(
      "SELECT toUInt32(uniqExact(condition_id)) AS n, toUInt32(count()) AS rows FROM @markets",
    );
    expect(count).toEqual({ n: report.markets, rows: report.markets });
  });

  test("book changes after a snapshot lead to the next snapshot", async () => {
    const [snapshots] = await rows(
      "SELECT toUInt32(count()) AS n, toUInt32(uniqExact(token_id)) AS tokens FROM @order_book_snapshots/*",
    );
    expect(Number(snapshots?.["n"])).toBeGreaterThan(100);
    const wrong = await rows(
      `WITH last AS (SELECT token_id, argMax(bid_prices_e4, seq) AS bids, max(seq) AS at FROM @order_book_snapshots/* GROUP BY token_id),
        level AS (SELECT c.token_id AS token_id, price_e4, argMax(size_micro, seq) AS size, any(bids) AS held
          FROM @order_book_changes/* AS c JOIN last ON last.token_id = c.token_id
          WHERE side = 'BUY' AND seq < last.at GROUP BY token_id, price_e4)
      SELECT hex(token_id), price_e4 FROM level WHERE (size > 0) != has(held, price_e4)`,
    );
    expect(wrong).toEqual([]);
  });

  test("the same seed gives the same rows", async () => {
    const again = join(folder, "b");
    await generate({ fills: 30_000, out: again, seed: 3, days: 8 });
    const digest = "SELECT toString(groupBitXor(cityHash64(*))) AS d FROM @fills/*";
    expect(await rows(digest, again)).toEqual(await rows(digest));
    const kalshi = "SELECT toString(groupBitXor(cityHash64(*))) AS d FROM @kalshi_trades/*";
    expect(await rows(kalshi, again)).toEqual(await rows(kalshi));
  }, 120_000);
});
