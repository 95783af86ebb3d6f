/** Inputs of the credibility score; null if unknown. */
export type CredibilityInputs = {
  readonly liquidity_percentile: number | null;
  readonly hhi: number | null;
  readonly unique_traders_7d: number;
  readonly volume_ratio: number | null;
  readonly price_volatility: number | null;
  readonly age_hours: number | null;
  readonly spread: number | null;
  readonly thin_depth_usd: number | null;
};

type Deduction = {
  readonly label: string;
  readonly input: keyof CredibilityInputs;
  readonly most: number;
  /** Nothing is deducted at `good`, all of `most` at `bad`, in proportion between. */
  readonly good: number;
  readonly bad: number;
};

/** The maxima add up to 100. */
export const DEDUCTIONS: readonly Deduction[] = [
  { label: "liquidity percentile", input: "liquidity_percentile", most: 20, good: 25, bad: 0 },
  { label: "concentration of holders (HHI)", input: "hhi", most: 20, good: 0.1, bad: 0.5 },
  { label: "traders in 7 days", input: "unique_traders_7d", most: 15, good: 30, bad: 0 },
  { label: "volume of 24 h over the 7-day mean", input: "volume_ratio", most: 10, good: 0.3, bad: 0 },
  { label: "volatility of hourly prices", input: "price_volatility", most: 10, good: 0.05, bad: 0.15 },
  { label: "age in hours", input: "age_hours", most: 10, good: 24, bad: 0 },
  { label: "spread", input: "spread", most: 10, good: 0.02, bad: 0.1 },
  { label: "USD within 2 cents on the thin side", input: "thin_depth_usd", most: 5, good: 100, bad: 0 },
];

/** 100 less every deduction, each with its reason; null with the missing inputs if any is absent. */
export function credibility(inputs: CredibilityInputs): { score: number | null; reasons: string[] } {
  const missing = DEDUCTIONS.filter(({ input }) => inputs[input] === null).map(({ label }) => `missing: ${label}`);
  if (missing.length > 0) return { score: null, reasons: missing };
  let score = 100;
  const reasons: string[] = [];
  for (const { label, input, most, good, bad } of DEDUCTIONS) {
    const value = inputs[input] ?? good;
    const taken = Math.round(most * Math.min(1, Math.max(0, (value - good) / (bad - good))) * 100) / 100;
    if (taken === 0) continue;
    score -= taken;
    reasons.push(`-${taken} ${label}: ${Number(value.toPrecision(4))}`);
  }
  return { score: Math.max(0, Math.round(score * 100) / 100), reasons };
}
