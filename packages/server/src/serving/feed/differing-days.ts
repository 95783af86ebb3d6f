import type { LeftSpan } from "../../definition/left-span.ts";
import { name, sql } from "../../definition/sql.ts";
import type { ServingReader } from "../reader.ts";
import type { Feed } from "./build-index.ts";
import { isFrom, newestOf } from "./select-served.ts";

const DAY_SECONDS = 86_400;

/** The days of which the index has another number of rows than the store. */
export async function differingDays(reader: ServingReader, { store, table, served }: Feed): Promise<LeftSpan[]> {
  const floor = reader.floor() ?? 0;
  const counted = await store.rows<{ day: number; n: string }>(
    sql`SELECT toUInt32(intDiv(toUnixTimestamp(${name(served.sort[0])}), 86400)) AS day, toString(count()) AS n FROM ${newestOf(served, table)} WHERE ${isFrom(served, floor)} GROUP BY day`,
  );
  const stored = new Map(counted.map(({ day, n }) => [day, Number(n)]));
  const held = reader.days.all();
  return [...new Set([...stored.keys(), ...held.keys()])]
    .filter((day) => (stored.get(day) ?? 0) !== (held.get(day) ?? 0))
    .map((day) => ({ from: Math.max(floor, day * DAY_SECONDS), to: day * DAY_SECONDS + DAY_SECONDS - 1 }));
}
