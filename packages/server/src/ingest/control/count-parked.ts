import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { mergeSpans } from "../../definition/spans.ts";

/** A stream's unfilled gaps; seconds count overlapping gaps once. */
export type OpenGaps = {
  readonly fillable: number;
  readonly unfillable: number;
  readonly fillableSeconds: number;
  readonly unfillableSeconds: number;
};

const NONE: OpenGaps = { fillable: 0, unfillable: 0, fillableSeconds: 0, unfillableSeconds: 0 };
const MOST = 50_000;

/** Counts open gaps by stream; ongoing gaps end at `venueNow` (Unix ms). */
export async function countGaps(db: Kysely<RecordsSchema>, venueNow: number): Promise<(stream: string) => OpenGaps> {
  const rows = await db
    .selectFrom("gaps")
    .select(["stream", "from_at", "to_at", "unfillable", "alike"])
    .where("filled_at", "is", null)
    .limit(MOST)
    .execute();
  const counted = new Map([...Map.groupBy(rows, ({ stream }) => stream)].map(([stream, of]) => [stream, sum(of)]));
  return (stream) => counted.get(stream) ?? NONE;

  function sum(of: typeof rows): OpenGaps {
    const lost = of.filter(({ unfillable }) => unfillable !== null);
    const rest = of.filter(({ unfillable }) => unfillable === null);
    const count = (some: typeof rows): number => some.reduce((all, { alike }) => all + alike, 0);
    const seconds = (some: typeof rows): number =>
      mergeSpans(
        some.map(({ from_at, to_at }) => ({ from: from_at.getTime(), to: to_at?.getTime() ?? venueNow })),
      ).reduce((all, { from, to }) => all + (to - from) / 1000, 0);
    return {
      fillable: count(rest),
      unfillable: count(lost),
      fillableSeconds: seconds(rest),
      unfillableSeconds: seconds(lost),
    };
  }
}

export type ParkedCount = {
  /** Pages waiting for a replay. */
  readonly waiting: number;
  /** How often such pages arrived. */
  readonly times: number;
  /** Waiting pages whose body was dropped. */
  readonly dropped: number;
  /** Field and problem of the newest page. */
  readonly newest: string;
};

/** Stream → its parked pages that are not replayed yet. */
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
