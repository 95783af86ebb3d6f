import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openStore } from "../../src/store/open-store.ts";
import { MIGRATIONS } from "../fixtures/open-test-store.ts";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const [ANN, YES] = [hex(0xa1, 40), tokenId(0)];
const GAINS = "0020-gains-of-conditions.sql";

const fill = (log_index: number, side: "BUY" | "SELL", usd: string) => ({
  ...fillRow(log_index, Date.parse("2026-03-01") / 1000 + 60 * log_index),
  log_index,
  wallet: ANN,
  token_id: YES,
  side,
  shares: "100",
  usd,
  source: "chain_v2",
});

test("a round trip won and one lost in one market on one day count as a gain and a loss", async () => {
  const folded = await openFolded(
    {
      polymarket_markets: [market(0)],
      polymarket_tokens: [{ token_id: YES, outcome_index: 0, condition_id: hex(1), outcome: "", slug: "rain-0" }],
      polymarket_fills: [fill(1, "BUY", "40"), fill(2, "SELL", "50"), fill(3, "BUY", "50"), fill(4, "SELL", "46")],
    },
    "2026-03-02",
  );
  try {
    const [row] = await folded.rows(581, { proxy_wallet: ANN, window_days: "all" });
    expect(numbersOf(row, "winning_trades", "losing_trades", "total_pnl", "profit_factor")).toEqual([1, 1, 6, 2.5]);
  } finally {
    await folded.close();
  }
});

test("what an older version worked out keeps its gains: all of a day's profit of a market", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gains-"));
  const before = join(folder, "migrations");
  mkdirSync(before);
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < GAINS))
    copyFileSync(join(MIGRATIONS, file), join(before, file));
  const store = await openStore({ folder: join(folder, "columns") });
  try {
    await migrate(store, before);
    await store.run(
      fromDefinition(
        "INSERT INTO wallet_condition_days (wallet, day, condition_id, pnl_usd) SELECT 'a', toDate('2026-03-01') + number, 'c', [6, -4.25, 0][number + 1] FROM numbers(3)",
      ),
    );
    expect(await migrate(store, MIGRATIONS)).toContain(GAINS.slice(0, -4));
    const rows = await store.rows(
      fromDefinition(
        "SELECT toString(pnl_usd) AS pnl, toString(gained_usd) AS gained FROM wallet_condition_days FINAL ORDER BY day",
      ),
    );
    expect(rows).toEqual([
      { pnl: "6", gained: "6" },
      { pnl: "-4.25", gained: "0" },
      { pnl: "0", gained: "0" },
    ]);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
