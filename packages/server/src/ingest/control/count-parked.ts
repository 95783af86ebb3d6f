import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

export type ParkedCount = {
  /** Pages that wait to be read again. */
  readonly waiting: number;
  /** How often such a page came. */
  readonly times: number;
  /** Of those waiting, pages of which only the record is left. */
  readonly dropped: number;
  /** What was wrong in the newest: field and problem. */
  readonly newest: string;
};

/** Stream → its parked pages that were not read since. */
export async function countParked(db: Kysely<RecordsSchema>): Promise<ReadonlyMap<string, ParkedCount>> {
  const rows = await db
    .selectFrom("parked")
    .select((select) => [
      "stream",
      select.fn.countAll<string>().as("waiting"),
      select.fn.sum<string>("times").as("times"),
      select.fn.count<string>("dropped_at").as("dropped"),
      select.fn.max("id").as("newest"),
    ])
    .where("replayed_at", "is", null)
    .groupBy("stream")
    .execute();
  const ids = rows.map(({ newest }) => newest);
  const newest = await db
    .selectFrom("parked")
    .select(["id", "field", "problem"])
    .where("id", "in", ids.length > 0 ? ids : [0])
    .execute();
  const said = new Map(newest.map(({ id, field, problem }) => [id, `${field ?? ""}: ${problem}`]));
  return new Map(
    rows.map((row) => [
      row.stream,
      {
        waiting: Number(row.waiting),
        times: Number(row.times),
        dropped: Number(row.dropped),
        newest: said.get(row.newest) ?? "",
      },
    ]),
  );
}
