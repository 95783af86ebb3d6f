/** The sum of two amounts in millionths, exactly: a number where it is one. */
export function addMicros(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(a) + BigInt(b);
}

export const lessMicros = (a: number | bigint, b: number | bigint): number | bigint => addMicros(a, -b);
