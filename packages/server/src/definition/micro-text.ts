const MILLION = 1_000_000;

/** Millionths as a decimal string without trailing zeros, as money columns are sent: 1500000n is "1.5". */
export function microText(micro: bigint): string {
  if (micro === 0n) return "0";
  const sign = micro < 0n ? "-" : "";
  const size = micro < 0n ? -micro : micro;
  // Numbers are several times as fast as bigints, and exact within the safe range.
  const number = Number(size);
  const part = Number.isSafeInteger(number) ? number % MILLION : Number(size % 1_000_000n);
  const whole = Number.isSafeInteger(number) ? (number - part) / MILLION : size / 1_000_000n;
  return part === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction(part)}`;
}

function fraction(part: number): string {
  let [rest, digits] = [part, 6];
  while (rest % 10 === 0) [rest, digits] = [rest / 10, digits - 1];
  return String(rest).padStart(digits, "0");
}
