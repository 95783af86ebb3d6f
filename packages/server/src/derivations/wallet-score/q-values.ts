/** Benjamini-Hochberg: the smallest false discovery rate at which each of these p-values would be taken, in their order. */
export function qValues(pValues: readonly number[]): number[] {
  const count = pValues.length;
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[b] ?? 0) - (pValues[a] ?? 0));
  const found = pValues.map(() => 1);
  let least = 1;
  for (const [place, index] of order.entries()) {
    least = Math.min(least, ((pValues[index] ?? 1) * count) / (count - place));
    found[index] = least;
  }
  return found;
}
