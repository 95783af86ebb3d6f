import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { BackfillRow } from "../control/backfill-record.ts";
import { findRetention, type RetentionRow } from "../control/retention-record.ts";
import type { StreamRow } from "../control/save-batch.ts";

export type WrittenGap = {
  readonly stream: string;
  readonly instrument: string | null;
  readonly from_at: Date;
  readonly to_at: Date | null;
  readonly reason: string;
  /** Why it cannot be filled. */
  readonly unfillable: string | null;
  /** Number of gaps it represents. */
  readonly alike: number;
};

export type FilledGap = WrittenGap & { readonly filled_at: Date };

/** All control records about what is stored. */
export type Written = {
  readonly streams: ReadonlyMap<string, StreamRow>;
  readonly backfills: readonly BackfillRow[];
  /** Not filled, newest first. */
  readonly gaps: readonly WrittenGap[];
  /** Derivation → the time up to which it is done. */
  readonly derived: ReadonlyMap<string, Date | null>;
  /** Totals of retention sweeps. */
  readonly retention: readonly RetentionRow[];
};

const GAP = ["stream", "instrument", "from_at", "to_at", "reason", "unfillable", "alike"] as const;
const MAX_GAPS = 20_000;
const MAX_BACKFILLS = 10_000;

export async function readWritten(db: Kysely<RecordsSchema>): Promise<Written> {
  const [streams, backfills, gaps, derivations, retention] = await Promise.all([
    db.selectFrom("streams").selectAll().execute(),
    db
      .selectFrom("backfills")
      .selectAll()
      .where("for_gaps", "=", false)
      .orderBy("id", "desc")
      .limit(MAX_BACKFILLS)
      .execute(),
    db
      .selectFrom("gaps")
      .select(GAP)
      .where("filled_at", "is", null)
      .orderBy("from_at", "desc")
      .limit(MAX_GAPS)
      .execute(),
    db.selectFrom("derivations").select(["name", "through"]).execute(),
    findRetention(db),
  ]);
  return {
    streams: new Map(streams.map((row) => [row.name, row])),
    backfills,
    gaps,
    retention,
    derived: new Map(derivations.map(({ name, through }) => [name, through])),
  };
}

/** When a gap was last filled (Unix ms); 0 if never. */
export async function findNewestFilled(db: Kysely<RecordsSchema>): Promise<number> {
  const row = await db
    .selectFrom("gaps")
    .select(({ fn }) => fn.max("filled_at").as("newest"))
    .executeTakeFirst();
  return row?.newest?.getTime() ?? 0;
}

/** Gaps filled after a time, newest first. */
export async function readFilled(db: Kysely<RecordsSchema>, since: Date): Promise<readonly FilledGap[]> {
  return await db
    .selectFrom("gaps")
    .select(GAP)
    .select("filled_at")
    .where("filled_at", ">", since)
    .orderBy("from_at", "desc")
    .limit(MAX_GAPS)
    .$narrowType<{ filled_at: Date }>()
    .execute();
}
