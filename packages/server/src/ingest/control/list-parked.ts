import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** A parked page as it may be shown; its texts come from the upstream and may be anything. */
export type ParkedEntry = {
  readonly id: number;
  readonly stream: string;
  readonly host: string;
  readonly route: string;
  readonly path: string;
  readonly problem: string;
  /** Path of the field in the page, and the value found there. */
  readonly field: string | null;
  readonly sample: string | null;
  /** Number of unreadable rows; null if the entire page was rejected. */
  readonly refused_rows: number | null;
  readonly times: number;
  readonly body_bytes: number;
  readonly parked_at: Date;
  readonly last_at: Date;
  /** When it was last retried, and when it was successfully read. */
  readonly tried_at: Date | null;
  readonly replayed_at: Date | null;
  /** When its body was dropped. */
  readonly dropped_at: Date | null;
};

export type ParkedWanted = {
  readonly stream?: string | undefined;
  /** Only waiting (true) or replayed (false) pages. */
  readonly waiting?: boolean | undefined;
  /** Pages with a lower id. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export type ParkedList = { readonly pages: readonly ParkedEntry[]; readonly has_more: boolean };

const MAX_TEXT = 500;

/** Pages of a wrong shape, newest first, without their bodies. */
export async function listParked(
  db: Kysely<RecordsSchema>,
  { stream, waiting, before, limit }: ParkedWanted,
): Promise<ParkedList> {
  let query = db
    .selectFrom("parked")
    .select(["id", "stream", "host", "route", "path", "problem", "field", "sample", "refused", "times", "body_bytes"])
    .select(["parked_at", "last_at", "tried_at", "replayed_at", "dropped_at"])
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (stream !== undefined) query = query.where("stream", "=", stream);
  if (before !== undefined) query = query.where("id", "<", before);
  if (waiting !== undefined) query = query.where("replayed_at", waiting ? "is" : "is not", null);
  const rows = await query.execute();
  const pages = rows.slice(0, limit).map(({ refused, ...row }): ParkedEntry => {
    const texts = { path: cut(row.path), problem: cut(row.problem) };
    const found = { field: row.field && cut(row.field), sample: row.sample && cut(row.sample) };
    return Object.assign(row, texts, found, { refused_rows: refused?.length ?? null });
  });
  return { pages, has_more: rows.length > limit };
}

/** Cuts between characters, not surrogate pairs. */
function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${Array.from(text.slice(0, 2 * MAX_TEXT))
    .slice(0, MAX_TEXT)
    .join("")}…`;
}
