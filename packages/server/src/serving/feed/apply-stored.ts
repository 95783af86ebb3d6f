import { type LeftSpan, mergeSpans } from "../../definition/spans.ts";
import { bind, name, sql } from "../../definition/sql.ts";
import { setImmediate as breathe } from "node:timers/promises";
import type { Batch } from "../batch.ts";
import type { ServingWriter } from "../writer.ts";
import type { Feed } from "./build-index.ts";
import type { Comparing } from "./follow-index.ts";
import { forgetParts, knownThrough, MARGIN_MICROS, readMark, writeMark } from "./known-parts.ts";
import type { NativeBlock } from "./native.ts";
import type { StoredParts } from "./stored-parts.ts";
import {
  allBlocks,
  DAY_SECONDS,
  isBetween,
  isByDay,
  isFrom,
  selectServed,
  storedMicros,
  newestOf,
  secondsOf,
} from "./select-served.ts";
import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import { VERSIONS_BELOW, type DayCount } from "../day-counts.ts";
import type { ServingReader } from "../reader.ts";

/** Approximate number of rows per transaction. */
const STEP_ROWS = 20_000;
const STEP_SECONDS = 3600;
const JOINED_SECONDS = 60;

/**
 * Applies store changes to an index: re-reads the seconds from which rows were removed, then adds the rows stored after
 * the mark, with the new mark in the same transaction.
 */
export async function applyStored(
  writer: ServingWriter,
  feed: Feed,
  left: readonly LeftSpan[],
  comparing: Comparing,
): Promise<void> {
  if (left.length > 0) forgetParts(writer);
  // Replaced rows come as single seconds, so nearby ones are merged and read in one statement.
  const spans = mergeSpans(left.map(({ from: first, to }) => ({ from: first, to: to + JOINED_SECONDS })));
  for (const span of spans) for (const step of await stepsOf(feed, span)) await readAgain(writer, feed, step);
  if (comparing === "no") return addStored(writer, feed);
  const parts = await feed.readParts();
  // The engine completes mutations that an earlier process began, or whose connection was lost, without notifying anyone.
  if (parts.isChanging) throw new Error(`rows of ${feed.table.name} are still being mutated in place`);
  if (comparing === "yes" || !(await followKnown(writer, feed, parts))) await compareDays(writer, feed);
}

/** Adds the rows stored since the last known state of the index; false if it has to be compared instead. */
async function followKnown(writer: ServingWriter, feed: Feed, parts: StoredParts): Promise<boolean> {
  const through = await knownThrough(writer, feed, parts);
  if (typeof through === "number") await addStored(writer, feed, through);
  return through !== undefined;
}

/** Adds stored rows, and re-reads the days that differ from the store. */
async function compareDays(writer: ServingWriter, feed: Feed): Promise<void> {
  await addStored(writer, feed, readMark(writer.mark()) - MARGIN_MICROS);
  let days = await differingDays(writer, feed);
  if (days.length === 0) return;
  forgetParts(writer);
  // Rows stored since the comparison are added first, so that they do not cause a re-read of a day, or of all rows of a
  // table without a time column.
  await addStored(writer, feed);
  days = await differingDays(writer, feed);
  for (const day of days)
    for (const step of await stepsOf(feed, day)) await readAgain(writer, feed, step, step.to - step.from + 1);
}

/** Divides a span into spans of whole minutes that each have up to `STEP_ROWS` rows, or more in a single minute. */
async function stepsOf(
  { store, served, table }: Feed,
  { from, to, rows = Number.POSITIVE_INFINITY }: LeftSpan & Partial<Day>,
): Promise<readonly LeftSpan[]> {
  if (isByDay(served) || rows <= STEP_ROWS || to - from <= 2 * JOINED_SECONDS) return [{ from, to }];
  const counted = await store.rows<{ minute: number; n: string }>(
    sql`SELECT toUInt32(intDiv(${secondsOf(served)}, 60)) AS minute, toString(count()) AS n FROM ${newestOf(served, table)} WHERE ${isBetween(served, from, to)} GROUP BY minute ORDER BY minute`,
  );
  const steps: LeftSpan[] = [];
  let [start, held] = [from, 0];
  for (const { minute, n } of counted) {
    if (held > 0 && held + Number(n) > STEP_ROWS) {
      steps.push({ from: start, to: minute * 60 - 1 });
      [start, held] = [minute * 60, 0];
    }
    held += Number(n);
  }
  return [...steps, { from: start, to }];
}

/** Adds the rows stored after a time (microseconds since 1970; by default those to follow), and advances the mark. */
async function addStored(
  writer: ServingWriter,
  { store, served, table }: Feed,
  since = beforeNext(writer),
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

/**
 * The time after which rows to follow are stored. Rows of one time may come by several statements, and those of one
 * statement become readable partition by partition: those of the mark may have been read in between, and are read again.
 */
const beforeNext = (writer: ServingWriter): number => readMark(writer.mark()) - 1;

/** Replaces the index's rows of a span of seconds with those of the store, some seconds at a time. */
async function readAgain(
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

const NONE: DayCount = { count: 0, versions: 0 };

const areEqual = (a: DayCount, b: DayCount): boolean => a.count === b.count && a.versions === b.versions;

/** A day as a span of seconds, with the number of its rows in the store. */
export type Day = LeftSpan & { readonly rows: number };

/** First second that is compared, for a table kept for a number of days: the start of the oldest of those days. */
const earliestOf = ({ maxDays }: ServedTable, days: Iterable<number>): number =>
  maxDays === undefined ? 0 : (Math.max(maxDays, ...days) - maxDays) * DAY_SECONDS;

/** Returns the days for which the index and the store differ in the number of rows or in their versions. */
export async function differingDays(reader: ServingReader, { store, table, served }: Feed): Promise<Day[]> {
  const held = reader.days.all();
  const floor = Math.max(reader.floor() ?? 0, earliestOf(served, held.keys()));
  const versions =
    served.isVersioned === true
      ? sql`sum(toUInt64(${storedMicros(served, table)}) % ${bind("UInt32", VERSIONS_BELOW)})`
      : sql`0`;
  const counted = await store.rows<{ day: number; n: string; versions: string }>(
    sql`SELECT toUInt32(intDiv(${secondsOf(served)}, 86400)) AS day, toString(count()) AS n, toString(${versions}) AS versions FROM ${newestOf(served, table)} WHERE ${isFrom(served, floor)} GROUP BY day`,
  );
  const stored = new Map(counted.map((row) => [row.day, { count: Number(row.n), versions: Number(row.versions) }]));
  return [...new Set([...stored.keys(), ...held.keys()])]
    .filter((day) => day >= Math.floor(floor / DAY_SECONDS))
    .filter((day) => !areEqual(stored.get(day) ?? NONE, held.get(day) ?? NONE))
    .map((day) => ({
      from: Math.max(floor, day * DAY_SECONDS),
      to: Math.min(LAST_SECOND, day * DAY_SECONDS + DAY_SECONDS - 1),
      rows: (stored.get(day) ?? NONE).count,
    }));
}
