/**
 * Change from one price to another in percent, in millionths (as prices are): the quotient is truncated at twelve
 * places, and the percent rounded, halves away from zero.
 */
export function changePct(from: number, to: number): number | bigint {
  const size = Math.abs(to - from) * 1e8;
  if (!Number.isSafeInteger(size)) return exactPct(BigInt(from), BigInt(to));
  const whole = Math.floor(size / from);
  const rest = ((size - whole * from) * 1e4) / from;
  // The quotient is rounded towards negative infinity: a fall is then the larger.
  const isUp = (to < from ? Math.ceil(rest) : Math.floor(rest)) >= 5000;
  const rounded = isUp ? whole + 1 : whole;
  return to < from ? 0 - rounded : rounded;
}

function exactPct(from: bigint, to: bigint): bigint {
  const change = (to * 1_000_000_000_000n) / from - 1_000_000_000_000n;
  return change < 0n ? -((5000n - change) / 10_000n) : (change + 5000n) / 10_000n;
}
