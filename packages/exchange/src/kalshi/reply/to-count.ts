/** 1e-2 contracts (an integer, may be negative) → Kalshi's fixed-point count, two decimals: -5400 → "-54.00". */
export function toCount(cc: number): string {
  const sign = cc < 0 ? "-" : "";
  const whole = Math.abs(cc);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}
