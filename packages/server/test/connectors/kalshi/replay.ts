import type { InsertRow } from "../../../src/definition/table.ts";

/** The book a reader of the table gets: the last snapshot by (ts, seq) and the changes after it. */
export function replay(rows: readonly InsertRow[]): { yes: Map<number, number>; no: Map<number, number> } {
  const sorted = [...rows].sort(
    (a, b) => String(a["ts"]).localeCompare(String(b["ts"])) || Number(a["seq"]) - Number(b["seq"]),
  );
  const from = sorted.findLastIndex((row) => row["kind"] === "snapshot");
  const book = { yes: new Map<number, number>(), no: new Map<number, number>() };
  for (const row of sorted.slice(Math.max(0, from))) {
    for (const [side, totals] of [
      ["bids", book.yes],
      ["asks", book.no],
    ] as const) {
      for (const [price, size] of row[side] as [string, string][]) {
        const tenths = Math.round(Number(price) * 1000);
        const hundredths = Math.round(Number(size) * 100);
        if (hundredths === 0) totals.delete(tenths);
        else totals.set(tenths, hundredths);
      }
    }
  }
  return book;
}
