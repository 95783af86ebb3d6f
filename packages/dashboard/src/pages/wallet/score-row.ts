/** A row of dataset 1006: a day's score with all its parts. */
export type ScoreRow = {
  readonly date: string;
  readonly h_score: string;
  readonly score_low: string | null;
  readonly score_high: string | null;
  readonly pool: number;
  readonly independent_fills: number;
  readonly events: number;
  readonly q_value: number;
  readonly skill_percentile: number;
  readonly profit_percentile: number;
  readonly risk_percentile: number;
  readonly timing_percentile: number;
  readonly breadth_percentile: number;
  readonly wash_factor: number;
  readonly sybil_factor: number;
  readonly farmer_factor: number;
  readonly maker_factor: number;
  readonly reasons: readonly string[];
};
