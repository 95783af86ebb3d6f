/** 1e-4 USD (an integer) → Kalshi's fixed-point dollars, four decimals: 5200 → "0.5200". Null means an empty side. */
export function toDollars(e4: number): string {
  const sign = e4 < 0 ? "-" : "";
  const whole = Math.abs(e4);
  return `${sign}${Math.floor(whole / 10_000)}.${String(whole % 10_000).padStart(4, "0")}`;
}
