import type { LeftSpan } from "../../definition/left-span.ts";
import { bind, sql } from "../../definition/sql.ts";
import type { ServingReader } from "../reader.ts";
import type { Feed } from "./build-index.ts";

const DAY_SECONDS = 86_400;

/** The days of which the index has another number of rows than the store. */
export async function differingDays(
  reader: ServingReader,
  { store, table }: Pick<Feed, "store" | "table">,
): Promise<LeftSpan[]> {
  const floor = reader.floor() ?? 0;
  const counted = await store.rows<{ day: number; n: string }>(
    sql`SELECT toUInt32(intDiv(toUnixTimestamp(ts), 86400)) AS day, toString(count()) AS n FROM ${table} WHERE ts >= toDateTime(${bind("UInt32", floor)}, 'UTC') GROUP BY day`,
  );
  const stored = new Map(counted.map(({ day, n }) => [day, Number(n)]));
  const held = reader.days.all();
  return [...new Set([...stored.keys(), ...held.keys()])]
    .filter((day) => (stored.get(day) ?? 0) !== (held.get(day) ?? 0))
    .map((day) => ({ from: Math.max(floor, day * DAY_SECONDS), to: day * DAY_SECONDS + DAY_SECONDS - 1 }));
}
