import type { RowWriter } from "../../definition/row-writer.ts";
import type { Pools, Ranked } from "./gather-pools.ts";
import { penalties, scoreOf } from "./score-factors.ts";
import { reasonsOf } from "./reasons.ts";
import type { WalletSample } from "./measures.ts";

/** A wallet's row of wallet_scores in a category on a day (since 1970), column by column in the table's order. */
export function writeScore(
  row: RowWriter,
  day: number,
  { wallet, penalty: input }: Pick<WalletSample, "wallet" | "penalty">,
  ranked: Ranked,
  pools: Pools,
): void {
  const { category, measures } = ranked;
  const pool = pools.poolOf(category);
  const prior = pools.priorOf(ranked);
  const { parts, shrunk, low: edgeLow } = pool.judge(measures, prior);
  const factors = penalties(input);
  const { wash, sybil, farmer, maker } = factors;
  const q = pool.qOf(wallet);
  const reals = (values: readonly number[]): void => values.forEach((value) => row.real(value));
  row.begin();
  row.day(day);
  row.text(category);
  row.hex(wallet);
  row.count(measures.entries);
  row.count(measures.events);
  reals([measures.edge, shrunk, edgeLow, prior, pool.scale, pool.between, measures.z, q, measures.profit]);
  for (const value of [measures.sharpe, measures.calm, measures.clv])
    if (!row.isNull(value === null)) row.real(value ?? 0);
  reals([measures.breadth, parts.skill, parts.profit, parts.risk, parts.timing, parts.breadth]);
  reals([wash, sybil, farmer, maker, scoreOf(parts, wash * sybil * farmer * maker)]);
  row.count(pool.size);
  row.texts(reasonsOf(parts, measures, factors, q));
  row.flag(false);
}
