const STEPS = [
  { seconds: 86_400, unit: "d" },
  { seconds: 3600, unit: "h" },
  { seconds: 60, unit: "min" },
] as const;

/** A duration in its two largest significant units: 3 d 4 h, 12 min, 850 ms. */
export function showSpan(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const at = STEPS.findIndex((step) => seconds >= step.seconds);
  const large = STEPS[at];
  if (large === undefined) return `${Math.round(seconds)} s`;
  const small = STEPS[at + 1] ?? { seconds: 1, unit: "s" };
  const whole = Math.floor(seconds / large.seconds);
  const rest = Math.floor((seconds - whole * large.seconds) / small.seconds);
  return rest === 0 ? `${whole} ${large.unit}` : `${whole} ${large.unit} ${rest} ${small.unit}`;
}
