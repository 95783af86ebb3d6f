/** Stacks each series on those before it; gaps count as zero. The last is the total. */
export function stackSeries(series: readonly (readonly (number | null)[])[]): number[][] {
  const below: number[] = [];
  return series.map((values) =>
    values.map((value, index) => {
      const top = (below[index] ?? 0) + (value ?? 0);
      below[index] = top;
      return top;
    }),
  );
}
