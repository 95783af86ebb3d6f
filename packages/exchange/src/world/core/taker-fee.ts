/**
 * Polymarket's taker fee in micro USD: rate·p·(1−p)·shares, rounded down to 5 decimals; p is the average price
 * usd/shares. `rate_e4`: 700 is 0.07. Exact for any safe integers (reference polymarket.md §2 Fees).
 */
export function takerFee(rate_e4: number, usd_micro: number, shares_micro: number): number {
  if (rate_e4 === 0 || shares_micro === 0) return 0;
  const left = usd_micro * (shares_micro - usd_micro);
  if (left * rate_e4 <= Number.MAX_SAFE_INTEGER) return Math.floor((left * rate_e4) / (shares_micro * 100_000)) * 10;
  const exact =
    (BigInt(rate_e4) * BigInt(usd_micro) * BigInt(shares_micro - usd_micro)) / (BigInt(shares_micro) * 100_000n);
  return Number(exact) * 10;
}
