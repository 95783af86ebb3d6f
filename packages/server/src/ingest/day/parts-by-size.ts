import { bind, type Bound, type Sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import { DAY_READING as settings } from "./day-rows.ts";

const MOST = 1_000_000;

/** Splits days (ascending) into parts of up to a million in total size; a larger day is a part of its own. */
export async function partsBySize(
  sizes: (days: Bound) => Sql,
  days: readonly string[],
  store: Pick<Store, "rows">,
): Promise<string[][]> {
  if (days.length === 0) return [];
  const found = await store.rows<{ day: string; size: string }>(sizes(bind("Array(Date)", days)), { settings });
  const sizeOf = new Map(found.map(({ day, size }) => [day, Number(size)]));
  const parts: string[][] = [];
  let left = 0;
  for (const day of days) {
    const size = sizeOf.get(day) ?? 0;
    if (size > left || parts.length === 0) {
      parts.push([]);
      left = MOST;
    }
    left -= size;
    parts.at(-1)?.push(day);
  }
  return parts;
}
