/** The sum of two amounts in millionths, exactly: a number where it is one. */
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

/** A number where it is one without loss. */
export function narrowed(value: bigint): number | bigint {
  const number = Number(value);
  // What is no safe integer is rounded to none either.
  return Number.isSafeInteger(number) ? number : value;
}
