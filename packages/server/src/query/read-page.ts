import { createHash } from "node:crypto";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { EarlyView } from "../definition/early-view.ts";
import type { Held } from "../definition/held.ts";
import { bind, sql, type Bound } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import type { FormatType } from "./answer.ts";
import { compose, composeCount, type Page } from "./compose.ts";
import { RENDERINGS } from "./format.ts";
import { toArray, toLines, toText } from "./rows.ts";
import { PLANNED_LESS } from "../store/planned-less.ts";

export type PageBytes = {
  readonly body: Buffer;
  readonly rowCount: number;
  readonly hasMore: boolean;
  /** The last row's order keys, when there is more. */
  readonly last: readonly (string | number)[] | undefined;
  readonly etag: string;
  /** What the page saw of rows told early; the pages after it see the same. */
  readonly early?: EarlyView | undefined;
};

export type PageOf = {
  readonly limit: number;
  readonly offset: number;
  readonly format: FormatType;
  /** Microseconds since 1970. */
  readonly now: Bound;
  readonly cursor?: Page["cursor"];
  readonly early?: EarlyView | undefined;
  readonly held?: Held | undefined;
  readonly recentFirst?: true;
};

/** Offsets beyond this are first compared with how many rows there are, which costs less than walking past them. */
const DEEP_OFFSET = 100_000;

type Given = Readonly<Record<string, Bound>>;

/** One page as bytes. One row more than asked is read, so that `hasMore` is exact. */
export async function readPage(
  store: Store,
  dataset: DatasetDefinition,
  given: Given,
  page: PageOf,
): Promise<PageBytes> {
  const rendering = RENDERINGS[page.format];
  const isBeyond = page.offset > DEEP_OFFSET && (await isBeyondEnd(store, dataset, given, page));
  const offset = isBeyond ? 0 : page.offset;
  const limit = isBeyond ? 0 : page.limit;
  const asked: Page = {
    rows: isBeyond ? 0 : page.limit + 1,
    offset,
    format: rendering.columns,
    now: page.now,
    ...(page.cursor ? { cursor: page.cursor } : {}),
    early: page.early,
    held: page.held,
    ...(page.recentFirst ? { recentFirst: true } : {}),
  };
  if (rendering.isDocument && page.format !== "ndjson") return readDocument(store, dataset, given, page, asked);
  const { statement, question } = compose(dataset, given, asked);
  const bytes = await store.read(statement, { format: rendering.engine, settings: settingsOf(dataset) });
  const lines = toLines(bytes);
  const rowCount = Math.min(lines.count, limit);
  const hasMore = lines.count > limit;
  const isReversed = question.isShownReversed === true;
  const body = (page.format === "ndjson" ? toText : toArray)(bytes, lines, rowCount, isReversed);
  const lastRow = hasMore
    ? (JSON.parse(lines.at(rowCount - 1).toString("utf8")) as Record<string, unknown>)
    : undefined;
  const last = lastRow && question.order.map((key) => key.value(lastRow));
  return { body, rowCount, hasMore, last, etag: etagOf(body, hasMore, page), early: page.early };
}

async function readDocument(
  store: Store,
  dataset: DatasetDefinition,
  given: Given,
  page: PageOf,
  asked: Page,
): Promise<PageBytes> {
  const rendering = RENDERINGS[page.format];
  const keys = await readPage(store, dataset, given, { ...page, format: "raw" });
  const { statement, question } = compose(dataset, given, { ...asked, rows: Math.min(asked.rows, page.limit) });
  const shown = question.isShownReversed
    ? sql`SELECT * FROM (${statement}) ORDER BY rowNumberInAllBlocks() DESC`
    : statement;
  const body = await store.read(shown, { format: rendering.engine, settings: settingsOf(dataset) });
  return { ...keys, body, etag: etagOf(body, keys.hasMore, page) };
}

async function isBeyondEnd(
  store: Store,
  dataset: DatasetDefinition,
  given: Given,
  { offset, now, early, held }: PageOf,
): Promise<boolean> {
  const [found] = await store.rows<{ total: string }>(
    composeCount(dataset, given, { now, early, held, rows: offset + 1 }),
  );
  return Number(found?.total ?? 0) <= offset;
}

const settingsOf = ({ isHot, isDeep }: DatasetDefinition): Record<string, number> => ({
  ...(isHot ? { use_uncompressed_cache: 1 } : {}),
  ...(isDeep ? PLANNED_LESS : {}),
});

/** Whether more follows is of the answer too: who polls the last page has to learn that it is no more the last. */
function etagOf(body: Buffer, hasMore: boolean, page: PageOf): string {
  const digest = createHash("sha1")
    .update(body)
    .update(`${page.format} ${page.limit} ${page.offset} ${hasMore}`)
    .digest("base64url");
  return `"${digest}"`;
}

/** Microseconds since 1970, as a snapshot is bound. */
export const snapshotAt = (text: string): Bound => bind("Int64", text);
