type Level = { readonly price: string | number; readonly size: string | number };

/** A side of a book as one text, by price, whatever order and spelling it came in; levels of no size are none. */
export function sideText(levels: readonly Level[]): string {
  return levels
    .map(({ price, size }): [number, number] => [Number(price), Number(size)])
    .filter(([, size]) => size > 0)
    .sort(([a], [b]) => a - b)
    .map((level) => level.join("@"))
    .join(" ");
}

/** Both sides of an answered row of a book dataset, which are JSON in strings. */
export function answeredSides(row: Readonly<Record<string, unknown>>): string {
  return `${parsed(row["bids"])} / ${parsed(row["asks"])}`;
}

function parsed(side: unknown): string {
  return sideText(JSON.parse(String(side)) as Level[]);
}
