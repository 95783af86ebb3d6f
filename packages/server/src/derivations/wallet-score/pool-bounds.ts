import { isOneOf } from "../../definition/filter.ts";
import type { ReadEngine } from "../../definition/read-engine.ts";
import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { DRAWABLE, drawBounds, type Drawable, type Drawn } from "./draw-bounds.ts";
import { inNewestPool } from "./newest-pool-sql.ts";

const WALLET_BYTES = 20;

export type PoolRequested = {
  /** An expression of type Date. */
  readonly asOf: Sql;
  readonly category: Bound | undefined;
  /** 0x-hex. */
  readonly wallets: readonly string[];
};

/**
 * Scores of some wallets of the newest pool of a category with their bounds; `rows` reads the inputs of the draw.
 * Throws StoreError.
 */
export async function poolBounds(
  { asOf, category, wallets }: PoolRequested,
  read: ReadEngine,
  rows: (statement: Sql) => Promise<readonly Drawable[]> = read.rows,
): Promise<Drawn[]> {
  if (wallets.length === 0) return [];
  const these = isOneOf(sql`wallet`, wallets, WALLET_BYTES);
  const scored = await rows(
    sql`SELECT ${DRAWABLE} FROM (SELECT * FROM ${walletScores} FINAL WHERE ${inNewestPool(asOf, category)} AND ${these})`,
  );
  return drawBounds(scored, read);
}
