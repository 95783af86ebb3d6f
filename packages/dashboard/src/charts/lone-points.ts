/** Indices of values without a neighbour to draw a line to. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}
