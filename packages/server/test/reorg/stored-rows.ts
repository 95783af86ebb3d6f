import { expect } from "vitest";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";

const names = [polymarketFills.name, ...Object.keys(polymarketFills.copies ?? {})];

/** The stored fills in the format of `PlayChain.truth`; every sort order must contain the same. */
export async function storedRows(store: Store): Promise<string[]> {
  const [own = [], ...others] = await Promise.all(names.map((name) => rowsOf(store, name)));
  for (const other of others) expect(other).toEqual(own);
  return own;
}

async function rowsOf(store: Store, name: string): Promise<string[]> {
  const rows = await store.rows<{ row: string }>(
    fromDefinition(
      `SELECT concat(toString(toUnixTimestamp(ts)), ' ', toString(reinterpretAsUInt32(reverse(tx_hash))), ' ', toString(block_number), ' ', toString(log_index)) AS row FROM ${name}`,
    ),
  );
  return rows.map(({ row }) => row).sort();
}

/** Trades by minute and token, from stored candles and from stored fills. */
export async function candleCounts(store: Store): Promise<{ readonly stored: string[]; readonly true: string[] }> {
  const [stored, truth] = await Promise.all([
    store.rows<{ row: string }>(
      sql`SELECT concat(toString(minute), ' ', toString(token_id), ' ', toString(trade_count), ' ', toString(volume_usd), ' ', toString(close)) AS row FROM polymarket_candles_1m FINAL`,
    ),
    store.rows<{ row: string }>(
      sql`SELECT concat(toString(toStartOfMinute(ts)), ' ', toString(token_id), ' ', toString(count()), ' ', toString(sum(usd)), ' ', toString(argMax(usd, (ts, block_number, log_index, tx_hash)))) AS row FROM polymarket_fills GROUP BY toStartOfMinute(ts), token_id`,
    ),
  ]);
  return { stored: stored.map(({ row }) => row).sort(), true: truth.map(({ row }) => row).sort() };
}

export async function emptyStore(store: Store): Promise<void> {
  for (const name of [...names, "polymarket_candles_1m"]) await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
}
