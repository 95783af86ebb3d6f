/** Exact decimal text of at most six places → millionths. Throws a RangeError for anything else. */
export function toMicro(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6})0*)?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal of six places: ${text.slice(0, 40)}`);
  const [, sign, whole = "", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(6, "0"));
  return sign === "-" ? -value : value;
}

/** Millionths → decimal text without needless zeros: 80000n → "0.08". */
export function microText(micro: bigint): string {
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return `${micro < 0n ? "-" : ""}${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction}`}`;
}
