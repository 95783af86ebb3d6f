import type { Kysely } from "kysely";
import { slicesOf } from "../../definition/slices.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { seenIn } from "../control/backfill-record.ts";
import { UNDOING } from "../control/fill-record.ts";

/** A closed gap to merge; times are Unix ms. */
type MergeableGap = {
  readonly id: number;
  readonly instrument: string | null;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly alike: number;
};

type MergedGap = Omit<MergeableGap, "id"> & { readonly ids: readonly number[] };

const STEPS_MS = [0, 1000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, Number.POSITIVE_INFINITY];

/**
 * Merges neighbouring gaps into at most `most`, the nearest first, to stay as narrow as possible. Those found by
 * different backfills stay apart, because each backfill fills only the others.
 */
function mergeGaps(gaps: readonly MergeableGap[], most: number): readonly MergedGap[] {
  const sorted = gaps.toSorted((a, b) => a.from - b.from);
  const bySeen = [...Map.groupBy(sorted, ({ reason }) => seenIn(reason)).values()];
  for (const step of STEPS_MS) {
    const groups = bySeen.flatMap((alike) => grouped(alike, step));
    if (groups.length <= most) return groups.map(toOne);
  }
  return [];
}

function grouped(sorted: readonly MergeableGap[], nearMs: number): MergeableGap[][] {
  const groups: MergeableGap[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const gap of sorted) {
    const last = groups.at(-1);
    if (last && gap.from - nearMs <= end) last.push(gap);
    else groups.push([gap]);
    end = groups.at(-1) === last ? Math.max(end, gap.to) : gap.to;
  }
  return groups;
}

function toOne(group: readonly MergeableGap[]): MergedGap {
  const [first] = group as [MergeableGap];
  const instruments = new Set(group.map(({ instrument }) => instrument));
  const alike = group.reduce((sum, gap) => sum + gap.alike, 0);
  const plain = first.reason.replace(/^\d+ gaps, e\.g\. /, "");
  return {
    ids: group.map(({ id }) => id),
    instrument: instruments.size === 1 ? first.instrument : null,
    from: first.from,
    to: Math.max(...group.map(({ to }) => to)),
    reason:
      alike === 1 ? first.reason : `${alike} gaps, e.g. ${first.instrument ? `${first.instrument}: ` : ""}${plain}`,
    alike,
  };
}

type Db = Kysely<RecordsSchema>;

/** Up to this many unfillable gaps of a stream are kept separately; beyond that, older ones are merged. */
const MOST = 1000;
const KEPT_NEWEST = 200;
const KEPT_OLDER = 500;
const A_STATEMENT = 1000;

/**
 * Bounds the gaps of each stream: with too many unfillable ones, neighbours are merged into one row. Gaps of rows being
 * rolled back stay as they are: the walk that ends them identifies them by their reason.
 */
export async function coalesceGaps(db: Db): Promise<void> {
  const many = await db
    .selectFrom("gaps")
    .select(["stream", (select) => select.fn.countAll<string>().as("count")])
    .where("filled_at", "is", null)
    .where("unfillable", "<>", UNDOING)
    .groupBy("stream")
    .having((having) => having(having.fn.countAll(), ">", MOST))
    .execute();
  for (const { stream } of many) await db.transaction().execute((work) => coalesceStream(work, stream));
}

/** The rows are locked: others may fill some of them, or correct their times, before or after it only. */
async function coalesceStream(work: Db, stream: string): Promise<void> {
  const rows = await work
    .selectFrom("gaps")
    .select(["id", "instrument", "from_at", "to_at", "reason", "alike"])
    .where("stream", "=", stream)
    .where("filled_at", "is", null)
    .where("unfillable", "<>", UNDOING)
    .orderBy("from_at", "desc")
    .orderBy("id", "desc")
    .offset(KEPT_NEWEST)
    .forUpdate()
    .execute();
  const gaps = rows.map(({ id, instrument, from_at, to_at, reason, alike }): MergeableGap => {
    const from = from_at.getTime();
    return { id, instrument, from, to: to_at?.getTime() ?? from, reason, alike };
  });
  const merged = mergeGaps(gaps, KEPT_OLDER).filter(({ ids }) => ids.length > 1);
  for (const gap of merged) await replace(work, gap);
}

/** The first row takes the span of all; the others are deleted. */
async function replace(work: Db, { ids, instrument, from, to, reason, alike }: MergedGap): Promise<void> {
  const [first, ...others] = ids as [number, ...number[]];
  const whole = { instrument, from_at: new Date(from), to_at: new Date(to), reason: reason.slice(0, 500), alike };
  await work.updateTable("gaps").set(whole).where("id", "=", first).execute();
  for (const some of slicesOf(others, A_STATEMENT)) await work.deleteFrom("gaps").where("id", "in", some).execute();
}
