/** Spearman's rank correlation, ties by mean rank; null with fewer than three pairs or if one side is constant. */
export function spearman(one: readonly number[], other: readonly number[]): number | null {
  if (one.length !== other.length || one.length < 3) return null;
  const [a, b] = [ranks(one), ranks(other)];
  const middle = (one.length + 1) / 2;
  let together = 0;
  let first = 0;
  let second = 0;
  for (const [index, rank] of a.entries()) {
    const beside = b[index] ?? 0;
    together += (rank - middle) * (beside - middle);
    first += (rank - middle) ** 2;
    second += (beside - middle) ** 2;
  }
  return first > 0 && second > 0 ? together / Math.sqrt(first * second) : null;
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const found = values.map(() => 0);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1] ?? 0] === values[order[start] ?? 0]) end += 1;
    for (let place = start; place <= end; place += 1) found[order[place] ?? 0] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return found;
}
