/** The exact sum of two amounts in millionths: a number where that is lossless, else a bigint. */
export function addMicros(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return narrowed(BigInt(a) + BigInt(b));
}

export function lessMicros(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const rest = a - b;
    if (Number.isSafeInteger(rest)) return rest;
  }
  return narrowed(BigInt(a) - BigInt(b));
}

/** Converts to a number where that is lossless. */
export function narrowed(value: bigint): number | bigint {
  const number = Number(value);
  // A bigint outside the safe range never rounds into it.
  return Number.isSafeInteger(number) ? number : value;
}
