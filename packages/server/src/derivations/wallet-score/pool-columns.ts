import { ByteReader } from "../../definition/bytes.ts";
import type { ReadEngine } from "../../definition/read-engine.ts";
import { bind, fromDefinition, joined, sql } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import type { PoolColumns } from "./pool.ts";

/** The columns of wallet_scores by which each part is ranked. */
const RANKED_BY: Readonly<Record<keyof PoolColumns, string>> = {
  skill: "edge_low",
  profit: "capped_pnl_usd",
  sharpe: "sharpe_probability",
  calm: "calm",
  timing: "clv",
  breadth: "breadth",
};
const PARTS = Object.keys(RANKED_BY) as (keyof PoolColumns)[];
/** Nulls are left out of an array by the engine, as they are out of a ranking. */
const ARRAYS = joined(
  PARTS.map((part) => fromDefinition(`groupArray(${RANKED_BY[part]})`)),
  fromDefinition(", "),
);
const REAL_BYTES = 8;

/** What the pool of a category on a day (YYYY-MM-DD) was ranked by, to the last bit. Throws StoreError. */
export async function readPoolColumns(day: string, category: string, read: ReadEngine): Promise<PoolColumns> {
  const rows = sql`${walletScores} FINAL WHERE day = ${bind("Date", day)} AND category = ${bind("String", category)} AND NOT is_gone`;
  const bytes = await read.bytes(sql`SELECT ${ARRAYS} FROM ${rows}`, "RowBinary");
  const from = new ByteReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  const next = (): Float64Array => {
    const count = from.varint();
    const end = from.at + count * REAL_BYTES;
    const reals = new Float64Array(new Uint8Array(bytes.subarray(from.at, end)).buffer);
    from.at = end;
    return reals;
  };
  return Object.fromEntries(PARTS.map((part) => [part, next()])) as Record<keyof PoolColumns, Float64Array>;
}
