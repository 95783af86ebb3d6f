import type { LeftSpan } from "../../definition/left-span.ts";
import { mergeSpans } from "../../definition/spans.ts";
import { bind, name, sql } from "../../definition/sql.ts";
import { setImmediate as breathe } from "node:timers/promises";
import type { Batch } from "../batch.ts";
import type { ServingWriter } from "../writer.ts";
import type { Feed } from "./build-index.ts";
import { differingDays } from "./differing-days.ts";
import type { Comparing } from "./follow-index.ts";
import { forgetParts, knownThrough } from "./known-parts.ts";
import { MARGIN_MICROS, readMark, writeMark } from "./mark.ts";
import type { NativeBlock } from "./native.ts";
import { allBlocks, DAY_SECONDS, isBetween, isByDay, isFrom, selectServed, storedMicros } from "./select-served.ts";

/** Rows of one transaction, about. */
const STEP_ROWS = 20_000;
const STEP_SECONDS = 3600;
const JOINED_SECONDS = 60;

/**
 * Applies to an index what the store got: the seconds of which rows were taken away are read anew, then what was stored
 * after the mark is added, with the new mark in the same transaction.
 */
export async function applyStored(
  writer: ServingWriter,
  feed: Feed,
  left: readonly LeftSpan[],
  comparing: Comparing,
): Promise<void> {
  if (left.length > 0) forgetParts(writer);
  // Rows that give way come by single seconds: those near each other are read in one statement.
  const spans = mergeSpans(left.map(({ from: first, to }) => ({ from: first, to: to + JOINED_SECONDS })));
  for (const span of spans) await readAnew(writer, feed, span);
  if (comparing === "no") await addStored(writer, feed);
  else if (comparing === "yes" || !(await followKnown(writer, feed))) await compareDays(writer, feed);
}

/** Adds what was stored since it was known what the index has; false where it has to be compared. */
async function followKnown(writer: ServingWriter, feed: Feed): Promise<boolean> {
  const parts = await feed.readParts();
  // The engine ends what an earlier process began, and tells nobody.
  if (parts.isChanging) throw new Error(`rows of ${feed.table.name} are still being changed where they lie`);
  const through = await knownThrough(writer, feed, parts);
  if (typeof through === "number") await addStored(writer, feed, through);
  return through !== undefined;
}

/** Adds what was stored, and reads the days anew that are not as the store has them. */
async function compareDays(writer: ServingWriter, feed: Feed): Promise<void> {
  await addStored(writer, feed, readMark(writer.mark()) - MARGIN_MICROS);
  let days = await differingDays(writer, feed);
  if (days.length === 0) return;
  forgetParts(writer);
  // What was stored since is no reason to read a day anew, of rows without a moment all of them.
  await addStored(writer, feed);
  days = await differingDays(writer, feed);
  for (const day of days)
    await readAnew(writer, feed, day, day.rows > STEP_ROWS ? STEP_SECONDS : day.to - day.from + 1);
}

/** Adds what was stored after a moment (microseconds since 1970), by itself the mark, and moves the mark on. */
async function addStored(
  writer: ServingWriter,
  { store, served, table }: Feed,
  since = readMark(writer.mark()),
): Promise<void> {
  const { storedAt } = served;
  const steps = sql`ORDER BY ${name(storedAt)} LIMIT ${bind("UInt64", STEP_ROWS)} WITH TIES`;
  for (let mark = since; ;) {
    const after = bind("Int64", String(mark));
    const where = sql`${storedMicros(served, table)} > ${after} AND ${isFrom(served, writer.floor() ?? 0)}`;
    const blocks = await allBlocks(store, sql`${selectServed(served, table, where)} ${steps}`);
    if (blocks.length === 0) return;
    for (const { columns } of blocks) mark = Math.max(mark, (columns[storedAt] as Float64Array).at(-1) ?? 0);
    const through = Math.max(mark, readMark(writer.mark()));
    writer.apply({ adds: batchOf(writer, blocks), mark: writeMark(through) });
    if (blocks.reduce((sum, { count }) => sum + count, 0) < STEP_ROWS) return;
  }
}

/** Puts what the store has of some seconds in the place of what the index has of them, some at a time. */
async function readAnew(
  writer: ServingWriter,
  { store, served, table }: Feed,
  span: LeftSpan,
  least = STEP_SECONDS,
): Promise<void> {
  const step = isByDay(served) ? Math.max(least, DAY_SECONDS) : least;
  for (let first = Math.max(span.from, writer.floor() ?? 0); first <= span.to; first += step) {
    const last = Math.min(span.to, first + step - 1);
    const blocks = await allBlocks(store, selectServed(served, table, isBetween(served, first, last)));
    const replacing = writer.replaceRange(first, last, batchOf(writer, blocks));
    while (replacing.next().done !== true) await breathe();
  }
}

function batchOf(writer: ServingWriter, blocks: readonly NativeBlock[]): Batch {
  const batch = writer.batch();
  for (const { count, columns } of blocks) batch.addColumns(count, columns);
  return batch;
}
