import type { Day, Fold, FoldReader } from "../../definition/fold.ts";
import { name, sql } from "../../definition/sql.ts";

/** The last day on which a row of a fold's sources stands; undefined where there is none. */
export async function findMoment(fold: Fold, read: FoldReader): Promise<Day | undefined> {
  const days: Day[] = [];
  for (const { table, moment, find } of fold.from) {
    if (find) continue;
    const [row] = await read.rows<{ day: string; n: string }>(
      sql`SELECT toString(toDate(max(${name(moment)}), 'UTC')) AS day, toString(count()) AS n FROM ${table}`,
    );
    if (row && row.n !== "0") days.push(row.day);
  }
  return days.toSorted().at(-1);
}
