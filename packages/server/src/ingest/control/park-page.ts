import { createHash } from "node:crypto";
import { sql, type Kysely, type Transaction } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import type { Park, ParkedPage } from "../feed/accept.ts";
import type { RefusedRow } from "../../definition/read-page.ts";

/** A time span (Unix ms) with missing data because a page could not be read. */
type PageGap = { readonly from: number; readonly to: number; readonly instrument: string | null };

/** The full span a walk may have requested, used if a page's rows carry no time. */
type Cycle = { readonly from: number; readonly to: number };

const MAX_GAPS = 20;
/** Spans this close are merged. */
const NEAR_MS = 1000;
/** The same for spans of calls with the same unreadable answer. */
const AGAIN_MS = 10 * 60_000;
/** Upstream times are finer than a millisecond. */
const ROUNDING_MS = 1;

/** Gaps of a parked page, as narrow as its rows allow; none if the walk stopped before it. */
function pageGaps(page: Pick<ParkedPage, "refused" | "missing">, cycle: Cycle): readonly PageGap[] {
  const { refused = [], missing } = page;
  if (missing !== undefined) {
    const instruments = missing.instruments ?? [];
    const whole = { from: missing.from, to: Math.max(missing.from, missing.to) };
    if (instruments.length === 0 || instruments.length > MAX_GAPS) return [{ ...whole, instrument: null }];
    return instruments.map((instrument) => ({ from: whole.from, to: whole.to, instrument }));
  }
  const gaps = merged(refused.map((row) => gapOf(row, cycle)));
  if (gaps.length <= MAX_GAPS) return gaps;
  const from = Math.min(...gaps.map((gap) => gap.from));
  return [{ from, to: Math.max(...gaps.map((gap) => gap.to)), instrument: null }];
}

function gapOf({ span, ...row }: RefusedRow, cycle: Cycle): PageGap {
  const instrument = row.instrument ?? null;
  if (span === undefined) return { ...cycle, instrument };
  const { from, to } = span;
  if (span.isOpen) return { from: Math.min(from, cycle.from), to: Math.max(to + ROUNDING_MS, cycle.to), instrument };
  return { from, to: to + ROUNDING_MS, instrument };
}

function merged(gaps: readonly PageGap[]): PageGap[] {
  const ends: { from: number; to: number; instrument: string | null }[] = [];
  const last = new Map<string | null, (typeof ends)[number]>();
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const before = last.get(gap.instrument);
    if (before && gap.from <= before.to + NEAR_MS) before.to = Math.max(before.to, gap.to);
    else {
      const fresh = { ...gap };
      ends.push(fresh);
      last.set(gap.instrument, fresh);
    }
  }
  return ends;
}

type Work = Transaction<RecordsSchema>;
export type ParkOptions = {
  /** Current venue time (Unix ms), which gaps use; the machine's when absent. */
  readonly venueNow?: () => number;
  /** Total bytes of bodies to keep; older pages keep only their record. */
  readonly parkedBytes?: number;
};

const KEEP_BYTES = 256 * 1024 * 1024;

/**
 * Records pages of an unexpected shape in one transaction, each with its gaps. A page that already waits (same body, or
 * same refused rows) is counted, not stored again.
 */
export function createPark(db: Kysely<RecordsSchema>, clock: Clock, options: ParkOptions = {}): Park {
  const { venueNow = clock.now, parkedBytes = KEEP_BYTES } = options;
  return async (page) => {
    const now = new Date(clock.now());
    const digest = digestOf(page);
    await db.transaction().execute(async (work) => {
      const known = await countAgain(work, page, digest, now);
      const id = known ?? (await insertPage(work, page, digest, now));
      if (known === undefined) await insertNotice(work, page, now);
      const isOpen = known !== undefined && (await hasOpenGap(work, known));
      // The same rows are missing once; an unreadable answer is missing in each span that it was requested for.
      const isCovered = isOpen && page.missing === undefined;
      const gaps = isCovered ? [] : pageGaps(page, await cycleOf(work, page, venueNow()));
      const others = isOpen ? await widenGaps(work, id, gaps) : gaps;
      await insertGaps(work, page, id, others, now);
      if (known === undefined) await dropOldBodies(work, parkedBytes, now);
    });
  };
}

/** Pages are identical if they contain the same refused rows, whatever other rows they contain. */
function digestOf({ body, refused }: ParkedPage): string {
  const rows = refused?.map(({ key, text }) => JSON.stringify(key ?? text)).toSorted();
  return createHash("sha256")
    .update(rows === undefined ? body : rows.join("\n"))
    .digest("hex");
}

async function countAgain(work: Work, page: ParkedPage, digest: string, now: Date): Promise<number | undefined> {
  const known = await work
    .updateTable("parked")
    .set((set) => ({ times: set("times", "+", 1), last_at: now }))
    .where("stream", "=", page.stream)
    .where("digest", "=", digest)
    .where("replayed_at", "is", null)
    .returning("id")
    .execute();
  return known[0]?.id;
}

async function insertPage(work: Work, page: ParkedPage, digest: string, now: Date): Promise<number> {
  const { stream, host, route, problem, field, refused } = page;
  const body = storable(page.body);
  const { id } = await work
    .insertInto("parked")
    .values({
      stream,
      host,
      route,
      problem: storable(problem),
      field: storable(field),
      body,
      digest,
      path: storable(page.path),
      sample: storable(page.sample),
      body_bytes: Buffer.byteLength(body),
      refused: refused === undefined ? null : refusedText(refused),
      parked_at: now,
      last_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function insertNotice(work: Work, { stream, host, field, problem, sample, refused }: ParkedPage, now: Date) {
  const what = refused === undefined ? "a page" : `${refused.length} rows of a page`;
  const text = storable(`${host}: ${what} could not be read: ${field}: ${problem}; it holds ${sample}`);
  await work.insertInto("notices").values({ stream, kind: "upstream_changed", text, noticed_at: now }).execute();
}

async function hasOpenGap(work: Work, parked: number): Promise<boolean> {
  const gap = await work
    .selectFrom("gaps")
    .select("id")
    .where("parked_id", "=", parked)
    .where("filled_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return gap !== undefined;
}

async function insertGaps(
  work: Work,
  page: ParkedPage,
  id: number,
  gaps: readonly PageGap[],
  now: Date,
): Promise<void> {
  const reason = storable(`upstream changed: ${page.field}: ${page.problem}`).slice(0, 500);
  for (const { from, to, instrument } of gaps) {
    await work
      .insertInto("gaps")
      .values({
        stream: page.stream,
        instrument,
        reason,
        parked_id: id,
        opened_at: now,
        from_at: new Date(from),
        to_at: new Date(to),
      })
      .execute();
  }
}

/** Extends the page's open gaps by those near them, so that not every call leaves one; returns the others. */
async function widenGaps(work: Work, id: number, gaps: readonly PageGap[]): Promise<readonly PageGap[]> {
  const others: PageGap[] = [];
  for (const gap of gaps) {
    const { from, to, instrument } = gap;
    const widened = await work
      .updateTable("gaps")
      .set({
        from_at: sql<Date>`least(from_at, ${new Date(from)}::timestamptz)`,
        to_at: sql<Date>`greatest(to_at, ${new Date(to)}::timestamptz)`,
      })
      .where("parked_id", "=", id)
      .where("filled_at", "is", null)
      .where(sql<boolean>`instrument is not distinct from ${instrument}::text`)
      .where("from_at", "<=", new Date(to + AGAIN_MS))
      .where("to_at", ">=", new Date(from - AGAIN_MS))
      .executeTakeFirst();
    if (widened.numUpdatedRows === 0n) others.push(gap);
  }
  return others;
}

/** The span a walk may have requested: from its stream's watermark to now. */
async function cycleOf(work: Work, { stream, cycle }: ParkedPage, now: number): Promise<Cycle> {
  if (cycle !== undefined) return cycle;
  const row = await work.selectFrom("streams").select("reached").where("name", "=", stream).executeTakeFirst();
  return { from: Math.min(now, row?.reached?.getTime() ?? now), to: now };
}

/** Keeps the newest bodies up to the limit; older pages keep everything but the body. */
async function dropOldBodies(work: Work, keepBytes: number, now: Date): Promise<void> {
  await sql`
    update parked set body = '', dropped_at = ${now}
    where id in (
      select id from (
        select id, sum(body_bytes) over (order by id desc) as total from parked where dropped_at is null
      ) as newest
      where total > ${keepBytes}::bigint
    )`.execute(work);
}

/** Refused rows as stored with their page. */
export const refusedText = (refused: readonly RefusedRow[]): string =>
  storable(JSON.stringify(refused.map(({ position, key }) => ({ position, key: key ?? null }))));

/** PostgreSQL's text type rejects NUL. */
export function storable(text: string): string {
  return text.replaceAll("\u0000", "\u{fffd}");
}
