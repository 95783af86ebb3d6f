const HALF = 2 ** 32;

/** Parses a whole number from decimal text exactly: a number where that is lossless, else a bigint. */
export function wholeMicrosOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The same from a little-endian Int64. */
export function microsAt(view: DataView, place: number): number | bigint {
  const number = view.getInt32(place + 4, true) * HALF + view.getUint32(place, true);
  return Number.isSafeInteger(number) ? number : view.getBigInt64(place, true);
}
