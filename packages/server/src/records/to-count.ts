/** A bigint of the database as a number. Our counts stay far below 2^53; one beyond would be read wrongly, so it throws. */
export function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count)) throw new RangeError(`${text} is too large for a count`);
  return count;
}
