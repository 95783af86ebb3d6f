/** Millionths as a decimal string without trailing zeros: 1500000n is "1.5". What money columns are sent as. */
export function microText(micro: bigint): string {
  const sign = micro < 0n ? "-" : "";
  const size = micro < 0n ? -micro : micro;
  const fraction = String(size % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${sign}${size / 1_000_000n}${fraction === "" ? "" : `.${fraction}`}`;
}
