import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryAsync } from "chdb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate, type GenerateReport } from "../../src/generate/generate.ts";

const folder = mkdtempSync(join(tmpdir(), "generate-"));
let report: GenerateReport;

async function rows(sql: string, out = join(folder, "a")): Promise<Record<string, unknown>[]> {
  const text = sql.replaceAll(/@([\w/*.-]+)/g, (_, path: string) => `file('${out}/${path}.parquet', Parquet)`);
  const result = await queryAsync(text, { format: "JSONEachRow" });
  const lines = result.text().split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

beforeAll(async () => {
  report = await generate({ fills: 30_000, out: join(folder, "a"), seed: 3, days: 8 });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a generated world", () => {
  test("has at least the requested fills, each with a unique id", async () => {
    const [counts] = await rows(
      "SELECT toUInt32(count()) AS fills, toUInt32(uniqExact(tx_hash, log_index)) AS ids, toUInt32(uniqExact(tx_hash)) AS matches, toUInt32(uniqExact(block_number, log_index)) AS places FROM @polymarket_fills/*",
    );
    expect(report.fills).toBeGreaterThanOrEqual(30_000);
    expect(counts).toEqual({ fills: report.fills, ids: report.fills, matches: report.matches, places: report.fills });
    expect(readdirSync(join(folder, "a"))).not.toContain("tmp");
  });

  test("has one taker per match, and its makers fill it exactly", async () => {
    const wrong = await rows(
      "SELECT hex(tx_hash) FROM @polymarket_fills/* GROUP BY tx_hash HAVING countIf(role = 'taker') != 1 OR sumIf(shares, role = 'maker') != sumIf(shares, role = 'taker') OR sumIf(if(match_kind = 'complementary', usd, shares - usd), role = 'maker') != sumIf(usd, role = 'taker') OR sumIf(fee_usd, role = 'maker') != 0",
    );
    expect(wrong).toEqual([]);
  });

  test("has rows that add up to every wallet's cash, to the micro dollar", async () => {
    const wrong = await rows(
      `WITH cash AS (
        SELECT wallet, sum(usd) AS pnl FROM (
          SELECT wallet, if(side = 'BUY', -usd, usd) - fee_usd AS usd FROM @polymarket_fills/*
          UNION ALL SELECT wallet, usd_delta AS usd FROM @polymarket_position_changes/*) GROUP BY wallet)
      SELECT t.wallet FROM @truth/wallets AS t LEFT JOIN (SELECT concat('0x', lower(hex(wallet))) AS wallet, pnl FROM cash) AS c
      ON c.wallet = t.wallet WHERE toDecimal128(t.cash_pnl_micro, 6) / 1000000 != c.pnl`,
    );
    expect(wrong).toEqual([]);
  });

  test("has no negative final balance, and lists the markets of its fills with their volume", async () => {
    const below = await rows(
      `SELECT 1 FROM (
        SELECT wallet, token_id, if(side = 'BUY', shares, -shares) AS delta FROM @polymarket_fills/*
        UNION ALL SELECT wallet, change.1, change.2 FROM @polymarket_position_changes/* ARRAY JOIN arrayZip(token_ids, token_deltas) AS change
        UNION ALL SELECT from_wallet, token_id, -shares FROM @polymarket_transfers/*
        UNION ALL SELECT to_wallet, token_id, shares FROM @polymarket_transfers/*)
      GROUP BY wallet, token_id HAVING sum(delta) < 0`,
    );
    expect(below).toEqual([]);
    const wrong = await rows(
      `SELECT m.condition_id FROM @polymarket_markets AS m LEFT JOIN (
        SELECT t.condition_id AS id, sumIf(usd, role = 'taker') AS usd, any(f.token_id) AS token
        FROM @polymarket_fills/* AS f JOIN @polymarket_tokens AS t ON t.token_id = f.token_id GROUP BY id) AS f
      ON f.id = m.condition_id WHERE f.usd != m.volume_total OR (f.token NOT IN (m.side_a_token_id, m.side_b_token_id) AND f.usd > 0)`,
    );
    expect(wrong).toEqual([]);
    expect(
      await rows(
        "SELECT 1 FROM @polymarket_fills/* WHERE token_id NOT IN (SELECT token_id FROM @polymarket_tokens) LIMIT 1",
      ),
    ).toEqual([]);
    const [count] = await rows(
      "SELECT toUInt32(uniqExact(condition_id)) AS n, toUInt32(count()) AS rows FROM @polymarket_markets",
    );
    expect(count).toEqual({ n: report.markets, rows: report.markets });
  });

  test("has book changes that lead from one snapshot to the next", async () => {
    const [snapshots] = await rows(
      "SELECT toUInt32(count()) AS n, toUInt32(uniqExact(instrument)) AS tokens FROM @book_events/snapshots-*",
    );
    expect(Number(snapshots?.["n"])).toBeGreaterThan(100);
    const wrong = await rows(
      `WITH last AS (SELECT instrument, argMax(bids.price, seq) AS held, max(seq) AS at FROM @book_events/snapshots-* GROUP BY instrument),
        level AS (SELECT c.instrument AS instrument, bid.price AS price, argMax(bid.size, seq) AS size, any(held) AS held
          FROM @book_events/changes-* AS c ARRAY JOIN bids AS bid JOIN last ON last.instrument = c.instrument
          WHERE seq < last.at GROUP BY instrument, price)
      SELECT instrument, price FROM level WHERE (size > 0) != has(held, price)`,
    );
    expect(wrong).toEqual([]);
  });

  test("has the same rows for the same seed", async () => {
    const again = join(folder, "b");
    await generate({ fills: 30_000, out: again, seed: 3, days: 8 });
    const digest = "SELECT toString(groupBitXor(cityHash64(*))) AS d FROM @polymarket_fills/*";
    expect(await rows(digest, again)).toEqual(await rows(digest));
    const kalshi = "SELECT toString(groupBitXor(cityHash64(*))) AS d FROM @kalshi_trades/*";
    expect(await rows(kalshi, again)).toEqual(await rows(kalshi));
  });
});
