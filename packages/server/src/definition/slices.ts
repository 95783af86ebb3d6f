/** Splits a list into consecutive chunks of `most` items (the last may be shorter). */
export const slicesOf = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, index) => all.slice(index * most, (index + 1) * most));
