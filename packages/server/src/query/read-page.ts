import { createHash } from "node:crypto";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Held, IndexSpan } from "../definition/coverage.ts";
import { bind, type Bound } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import type { FormatType } from "./answer.ts";
import { askingOf, compose, composeCount, type Page, type Keys } from "./compose.ts";
import { fieldsOf, fileOf, HEAD_LINES, rowsForFile } from "./file-of.ts";
import { RENDERINGS } from "./format.ts";
import { readEngineOf } from "./query-engine.ts";
import { PLANNED_LESS } from "../store/statement-settings.ts";

const NEWLINE = 0x0a;
const COMMA = 0x2c;

type Lines = { readonly count: number; readonly at: (index: number) => Buffer };

/** One row per line, as the engine prints them. Newlines inside values are escaped, so every newline ends a row. */
function toLines(bytes: Buffer): Lines {
  const ends: number[] = [];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) ends.push(at);
  return {
    count: ends.length,
    at: (index) => bytes.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, ends[index]),
  };
}

/** The first `keep` rows, one per line. */
function toText(bytes: Buffer, lines: Lines, keep: number): Buffer {
  return keep === 0 ? Buffer.alloc(0) : bytes.subarray(0, endOf(bytes, lines.at(keep - 1)) + 1);
}

/** The first `keep` rows as a JSON array; the bytes are not parsed. */
function toArray(bytes: Buffer, lines: Lines, keep: number): Buffer {
  if (keep === 0) return Buffer.from("[]");
  const text = toText(bytes, lines, keep);
  const array = Buffer.allocUnsafe(text.length + 1);
  array[0] = 0x5b;
  text.copy(array, 1);
  for (let at = array.indexOf(NEWLINE); at !== -1; at = array.indexOf(NEWLINE, at + 1)) array[at] = COMMA;
  array[text.length] = 0x5d;
  return array;
}

function endOf(bytes: Buffer, line: Buffer): number {
  return line.byteOffset - bytes.byteOffset + line.length;
}

export type PageBytes = {
  readonly body: Buffer;
  readonly rowCount: number;
  readonly hasMore: boolean;
  /** The last row's order keys, when there is more. */
  readonly last: Keys | undefined;
  readonly etag: string;
};

export type PageOf = {
  readonly limit: number;
  readonly offset: number;
  readonly format: FormatType;
  /** Microseconds since 1970. */
  readonly now: Bound;
  readonly cursor?: { readonly snapshot: Bound; readonly after: Keys };
  readonly held?: Held | undefined;
  readonly recentFirst?: true;
};

/** Offsets beyond this are first compared with the row count, which costs less than reading past the rows. */
const DEEP_OFFSET = 100_000;

type Given = Readonly<Record<string, Bound>>;

/** Reads one page as bytes. One extra row is read, so that `hasMore` is exact. */
export async function readPage(
  store: Store,
  dataset: DatasetDefinition,
  given: Given,
  page: PageOf,
): Promise<PageBytes> {
  const isBeyond = page.offset > DEEP_OFFSET && (await isBeyondEnd(store, dataset, given, page));
  const limit = isBeyond ? 0 : page.limit;
  const { now, held, cursor, recentFirst } = page;
  const isFile = RENDERINGS[page.format].isDocument && page.format !== "ndjson";
  const requested: Page = {
    rows: isBeyond ? 0 : page.limit + 1,
    offset: isBeyond ? 0 : page.offset,
    format: RENDERINGS[page.format].columns,
    now,
    held,
    snapshot: cursor?.snapshot,
    place: cursor && { after: cursor.after },
    ...(recentFirst ? { recentFirst } : {}),
  };
  const { statement, question } = await composePrepared(store, dataset, given, requested);
  const bytes = await store.read(
    statement,
    isFile ? rowsForFile(settingsOf(dataset)) : { settings: settingsOf(dataset) },
  );
  const lines = toLines(bytes);
  const head = isFile ? HEAD_LINES : 0;
  const rowCount = Math.min(lines.count - head, limit);
  const hasMore = lines.count - head > limit;
  const keysAt = (index: number): Keys => {
    const line = lines.at(head + index);
    const row = isFile ? fieldsOf(lines.at(0), line) : (JSON.parse(line.toString("utf8")) as Record<string, unknown>);
    return question.order.map((key) => key.value(row));
  };
  const last = hasMore ? keysAt(rowCount - 1) : undefined;
  const rest = { rowCount, hasMore, last };
  if (isFile) {
    const begin = lines.at(0).length + lines.at(1).length + HEAD_LINES;
    const rows = toText(bytes, lines, head + rowCount).subarray(begin);
    const read = { names: lines.at(0), types: lines.at(1), lines: rows };
    const body = await fileOf(store, dataset, read, page.format);
    return { ...rest, body, etag: etagOf(body, hasMore, page) };
  }
  const body = (page.format === "ndjson" ? toText : toArray)(bytes, lines, rowCount);
  return { ...rest, body, etag: etagOf(body, hasMore, page) };
}

/** Composes the statement of a page, with what its dataset prepares for it. */
async function composePrepared(store: Store, dataset: DatasetDefinition, given: Given, requested: Page) {
  const prepared = await dataset.prepare?.(given, askingOf(requested), readEngineOf(store));
  return compose(dataset, given, { ...requested, prepared });
}

async function isBeyondEnd(
  store: Store,
  dataset: DatasetDefinition,
  given: Given,
  { offset, now, held }: PageOf,
): Promise<boolean> {
  const [found] = await store.rows<{ total: string }>(composeCount(dataset, given, { now, held, rows: offset + 1 }));
  return Number(found?.total ?? 0) <= offset;
}

const settingsOf = ({ isHot, isDeep }: DatasetDefinition): Record<string, number> => ({
  ...(isHot ? { use_uncompressed_cache: 1 } : {}),
  ...(isDeep ? PLANNED_LESS : {}),
});

/**
 * Whether more follows is part of the ETag: a client polling the last page must learn when it no longer is the last.
 */
export function etagOf(body: Buffer, hasMore: boolean, page: Pick<PageOf, "format" | "limit" | "offset">): string {
  const digest = createHash("sha1")
    .update(body)
    .update(`${page.format} ${page.limit} ${page.offset} ${hasMore}`)
    .digest("base64url");
  return `"${digest}"`;
}

/** Microseconds since 1970, as a snapshot is bound. */
export const snapshotAt = (text: string): Bound => bind("Int64", text);

/** A page plus what the next page of its walk needs: its snapshot and read time (Unix ms). */
export type KeptPage = PageBytes & {
  readonly snapshot: string;
  readonly began: number;
  /** Time span of the index it was read from, if the column engine was not queried. */
  readonly index?: IndexSpan;
  /** Changes made to its rows for this caller. */
  readonly warnings?: readonly string[];
  /** Whether its sources are unchanged since, as far as this process knows. */
  readonly isCurrent: () => boolean;
  /** Whether its sources had been unchanged for a while, so that another read is unlikely to differ. */
  readonly isSettled: boolean;
};
