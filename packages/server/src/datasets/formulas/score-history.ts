import type { Formula } from "../../definition/formula.ts";
import { scoreContext } from "./score-context.ts";
import { walletScore } from "./wallet-score.ts";

export const scoreHistoryFormula: readonly Formula[] = [
  ...walletScore({
    score: ["h_score", "score_low", "score_high", "pool", "reasons"],
    entries: ["independent_fills", "events"],
    skill: ["edge", "edge_shrunk", "edge_low", "skill_percentile", "z", "q_value"],
    profit: ["capped_pnl", "profit_percentile"],
    risk: ["sharpe_probability", "calm", "risk_percentile"],
    rest: ["breadth", "breadth_percentile", "clv", "timing_percentile"],
    factors: ["wash_factor", "sybil_factor", "farmer_factor", "maker_factor"],
  }),
  scoreContext,
];
