import type { InsertRow } from "../../definition/table.ts";
import type { Pools, Ranked } from "./gather-pools.ts";
import { penalties } from "./penalties.ts";
import { reasonsOf } from "./reasons.ts";
import { scoreOf } from "./score-weights.ts";
import type { WalletSample } from "./wallet-sample.ts";

/** A wallet's row of wallet_scores in a category. */
export function toScoreRow(
  { wallet, penalty: input }: Pick<WalletSample, "wallet" | "penalty">,
  ranked: Ranked,
  pools: Pools,
): InsertRow {
  const { category, measures } = ranked;
  const pool = pools.poolOf(category);
  const prior = pools.priorOf(ranked);
  const { parts, shrunk, low: edgeLow } = pool.judge(measures, prior);
  const factors = penalties(input);
  const penalty = factors.wash * factors.sybil * factors.farmer * factors.maker;
  const q = pool.qOf(wallet);
  return {
    category,
    wallet,
    entries: measures.entries,
    events: measures.events,
    edge: measures.edge,
    edge_shrunk: shrunk,
    edge_low: edgeLow,
    edge_prior: prior,
    luck_scale: pool.scale,
    edges_between: pool.between,
    z: measures.z,
    q_value: q,
    capped_pnl_usd: measures.profit,
    sharpe_probability: measures.sharpe,
    calm: measures.calm,
    clv: measures.clv,
    breadth: measures.breadth,
    skill_pct: parts.skill,
    profit_pct: parts.profit,
    risk_pct: parts.risk,
    timing_pct: parts.timing,
    breadth_pct: parts.breadth,
    wash_factor: factors.wash,
    sybil_factor: factors.sybil,
    farmer_factor: factors.farmer,
    maker_factor: factors.maker,
    score: scoreOf(parts, penalty),
    pool: pool.size,
    reasons: reasonsOf(parts, measures, factors, q),
  };
}
