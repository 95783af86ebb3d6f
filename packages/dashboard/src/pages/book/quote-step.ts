const STEPS = [
  { interval: "1m", label: "minute", ms: 60_000 },
  { interval: "1h", label: "hour", ms: 3_600_000 },
  { interval: "1d", label: "day", ms: 86_400_000 },
] as const;

export type QuoteStep = Pick<(typeof STEPS)[number], "interval" | "label">;

/**
 * The shortest candles, among those of both venues, of which a page of `most` rows spans the range: a longer range
 * would lose its newest part, as candles from a start are oldest first.
 */
export function quoteStepOf(from: number, to: number, most: number): QuoteStep {
  // Both ends may lie within a candle.
  return STEPS.find(({ ms }) => Math.floor(to / ms) - Math.floor(from / ms) < most) ?? STEPS[2];
}
