import type { Kysely } from "kysely";
import type { Connector } from "../../definition/connector.ts";
import type { WrongShape } from "../../definition/wrong-shape.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { type Clock, every } from "../clock.ts";
import { refusedText, storable } from "../control/park-page.ts";
import { settlePages } from "../control/settled-records.ts";
import type { Deriver } from "../derive.ts";
import type { PullRun } from "../pull.ts";
import type { Write } from "../write.ts";
import { replayPage, type LeftOver, type ParkedRow } from "./replay-page.ts";

const EVERY_MS = 3_600_000;

/** Replays parked pages at once and every hour until aborted, so that no manual step is needed after an upgrade. */
export async function replayRegularly(options: ReplayOptions): Promise<void> {
  const { clock, signal, log } = options;
  const failed = { log, message: "parked pages could not be checked; retrying in an hour" };
  await every({ clock, signal, everyMs: EVERY_MS, firstMs: 0, failed }, async () => {
    const counts: Record<string, number> = {};
    for await (const { outcome } of replayParked(options)) counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (Object.keys(counts).length > 0) log.info(counts, "parked pages replayed");
  });
}

export type ReplayOptions = Pick<PullRun, "db" | "clock" | "log" | "metrics" | "signal"> & {
  readonly connectors: readonly Connector[];
  /** Must announce rows that were stored already: an interrupted replay may have stored but not derived them. */
  readonly write: Write;
  /** Derives what depends on rows of these tables. */
  readonly flush: Deriver["flush"];
  readonly stream?: string | undefined;
  readonly id?: number | undefined;
  /** Reports the outcome without changing anything. */
  readonly isDry?: boolean;
};

export type Replayed = {
  readonly id: number;
  readonly stream: string;
  readonly path: string;
  /**
   * stored: entirely, and its gap is filled. partly: some of its rows are still wrong. wrong: it cannot be read yet.
   * walk: its stream reads it by walking over its time again. passed: a later walk has read its rows. no_body: the body
   * was dropped. failed: the store or the records rejected it.
   */
  readonly outcome: "stored" | "partly" | "wrong" | "walk" | "passed" | "no_body" | "failed";
  /** Rows stored that were not there before. */
  readonly rows: number;
  /** Why it stays parked: field, problem and sample. */
  readonly problem: string | undefined;
};

const A_LOOK = 20;

/** Replays every parked page, oldest first. One that fails stays parked and does not stop the others. */
export async function* replayParked(options: ReplayOptions): AsyncGenerator<Replayed, void, void> {
  let after = 0;
  while (!options.signal.aborted) {
    const pages = await findParked(options, after);
    for (const parked of pages) {
      if (options.signal.aborted) return;
      after = parked.id;
      yield await replayOne(options, parked);
    }
    if (pages.length < A_LOOK) return;
  }
}

function findParked({ db, stream, id }: ReplayOptions, after: number): Promise<ParkedRow[]> {
  let parked = db.selectFrom("parked").selectAll().where("replayed_at", "is", null).where("id", ">", after);
  if (stream !== undefined) parked = parked.where("stream", "=", stream);
  if (id !== undefined) parked = parked.where("id", "=", id);
  return parked.orderBy("id").limit(A_LOOK).execute();
}

async function replayOne(options: ReplayOptions, parked: ParkedRow): Promise<Replayed> {
  const { log, metrics, isDry = false } = options;
  const { id, stream, path } = parked;
  let done: Pick<Replayed, "outcome" | "rows" | "problem">;
  try {
    done = await takePage(options, parked);
  } catch (error) {
    log.error({ err: error, stream, page: id }, "a parked page could not be replayed");
    done = { outcome: "failed", rows: 0, problem: error instanceof Error ? error.message : String(error) };
  }
  if (!isDry) metrics.replayed.inc({ stream, outcome: done.outcome });
  log.info({ stream, page: id, ...done, isDry }, "a parked page was replayed");
  return { id, stream, path, ...done };
}

async function takePage(
  options: ReplayOptions,
  parked: ParkedRow,
): Promise<Pick<Replayed, "outcome" | "rows" | "problem">> {
  const { connectors, isDry = false } = options;
  const problem = `${parked.field ?? ""}: ${parked.problem}; it holds ${parked.sample ?? ""}`;
  const connector = connectors.find(({ name }) => name === parked.stream);
  if (connector === undefined) return { outcome: "wrong", rows: 0, problem: `there is no stream ${parked.stream}` };
  const again = parked.dropped_at === null ? await replayPage(connector, parked) : ({ kind: "walk" } as const);
  if (again.kind === "walk") {
    const isPassed = await retryWalk(options, parked, isDry);
    if (isPassed) return { outcome: "passed", rows: 0, problem: undefined };
    return { outcome: parked.dropped_at === null ? "walk" : "no_body", rows: 0, problem };
  }
  if (again.kind === "wrong") {
    if (!isDry && (await retryWalk(options, parked, isDry))) return { outcome: "passed", rows: 0, problem: undefined };
    if (!isDry) await saveProblem(options, parked.id, again.wrong, undefined);
    return { outcome: "wrong", rows: 0, problem: textOf(again.wrong) };
  }
  const left = again.left && textOf(again.left.wrong);
  const outcome = again.left ? "partly" : "stored";
  if (isDry) return { outcome, rows: again.rows.reduce((sum, { rows }) => sum + rows.length, 0), problem: left };
  let rows = 0;
  for (const part of again.rows) rows += (await options.write(parked.stream, part)).stored;
  await options.flush(again.rows.map(({ table }) => table));
  // Last: if interrupted before this, the next replay finds the rows stored and settles the page.
  if (again.left) await saveProblem(options, parked.id, again.left.wrong, again.left);
  else await settlePages(options.db, [parked.id], new Date(options.clock.now()));
  return { outcome, rows, problem: left };
}

function textOf({ field, problem, sample }: WrongShape): string {
  return `${field}: ${problem}; it holds ${sample}`;
}

async function saveProblem(
  { db, clock }: ReplayOptions,
  id: number,
  { field, problem, sample }: WrongShape,
  left: LeftOver | undefined,
): Promise<void> {
  await db
    .updateTable("parked")
    .set({
      field: storable(field),
      problem: storable(problem),
      sample: storable(sample),
      tried_at: new Date(clock.now()),
      ...(left && { refused: refusedText(left.refused) }),
    })
    .where("id", "=", id)
    .execute();
}

/**
 * For a page that only a walk over its time can read: makes its gaps due at once. A page without gaps stopped its walk,
 * so it is read once the stream has advanced; returns true if so.
 */
async function retryWalk(
  { db, clock }: { readonly db: Kysely<RecordsSchema>; readonly clock: Clock },
  { id, stream, last_at }: ParkedRow,
  isDry: boolean,
): Promise<boolean> {
  const gaps = db.selectFrom("gaps").select("id").where("parked_id", "=", id).where("filled_at", "is", null);
  if ((await gaps.execute()).length > 0) {
    if (!isDry) {
      const due = { retry_at: null, unfillable: null };
      await db.updateTable("gaps").set(due).where("parked_id", "=", id).where("filled_at", "is", null).execute();
    }
    return false;
  }
  const row = await db.selectFrom("streams").select("last_ok_at").where("name", "=", stream).executeTakeFirst();
  const hasPassed = row?.last_ok_at != null && row.last_ok_at > last_at;
  if (hasPassed && !isDry) await settlePages(db, [id], new Date(clock.now()));
  return hasPassed;
}
