import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keysetPage, type OrderFields } from "../../src/polymarket/gamma/keyset-page.ts";

interface Item {
  id: string;
  volume: number;
}

const fields: OrderFields<Item> = { volume: (item) => item.volume };

function walk(items: Item[], query: Record<string, string>): { seen: string[]; pages: number; lastHasCursor: boolean } {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = keysetPage(items, cursor === undefined ? query : { ...query, after_cursor: cursor }, fields);
    if ("refused" in page) throw new Error(page.refused);
    seen.push(...page.items.map((item) => item.id));
    if (page.next_cursor === undefined) return { seen, pages, lastHasCursor: false };
    cursor = page.next_cursor;
  }
}

test("walking the cursor returns every item once, in the requested order", () => {
  const anItem = fc.record({ volume: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(
      fc.array(anItem, { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      (rows, limit, ascending) => {
        const items = rows.map((row, index) => ({ id: String(index + 1), volume: row.volume }));
        const { seen } = walk(items, { limit: String(limit), order: "volume", ascending: String(ascending) });
        const sign = ascending ? 1 : -1;
        const sorted = [...items].sort((a, b) => (a.volume - b.volume || Number(a.id) - Number(b.id)) * sign);
        expect(seen).toEqual(sorted.map((item) => item.id));
      },
    ),
  );
});

test("there is no next_cursor when the last page is exactly full", () => {
  const items = Array.from({ length: 40 }, (_, index) => ({ id: String(index), volume: 0 }));
  expect(walk(items, { limit: "20" }).pages).toBe(2);
});

test("a cursor of another order is rejected", () => {
  const items = Array.from({ length: 5 }, (_, index) => ({ id: String(index), volume: 0 }));
  const page = keysetPage(items, { limit: "2" }, fields);
  if ("refused" in page || page.next_cursor === undefined) throw new Error("expected a cursor");
  expect(keysetPage(items, { after_cursor: page.next_cursor, order: "volume" }, fields)).toEqual({
    refused: "invalid after_cursor",
  });
  expect(keysetPage(items, { after_cursor: "nonsense" }, fields)).toEqual({ refused: "invalid after_cursor" });
});
