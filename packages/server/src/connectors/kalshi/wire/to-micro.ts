/** Exact decimal text of at most six places → millionths. Throws a RangeError for anything else. */
export function toMicro(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6})0*)?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal of six places: ${text.slice(0, 40)}`);
  const [, sign, whole = "", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(6, "0"));
  return sign === "-" ? -value : value;
}
