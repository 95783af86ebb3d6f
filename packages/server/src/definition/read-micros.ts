const HALF = 2 ** 32;

/** A whole number in decimal text, exactly: a number where it is one. */
export function wholeMicrosOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The same of an Int64 in little-endian order. */
export function microsAt(view: DataView, place: number): number | bigint {
  const number = view.getInt32(place + 4, true) * HALF + view.getUint32(place, true);
  return Number.isSafeInteger(number) ? number : view.getBigInt64(place, true);
}
