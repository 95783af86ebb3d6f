import type { DatasetDefinition } from "../../definition/dataset.ts";
import { bucketAt, firstOf, lastOf, type BucketSearch, type ServedBuckets } from "../../definition/served-buckets.ts";
import type { Bound } from "../../definition/sql.ts";
import { ReadSet } from "../../serving/key-versions.ts";
import { walkDown } from "../../serving/page.ts";
import { UpWalk } from "../../serving/up-walk.ts";
import { etagOf, type PageBytes, type PageOf } from "../read-page.ts";
import { fillBuckets, type Traded } from "./fill-buckets.ts";
import { closeOf, foldBuckets, type Bucket, type Minutes } from "./fold-buckets.ts";
import { bytesOfText } from "./page-buffer.ts";
import { printerOf } from "./print-made.ts";
import type { ServedPage, ServedSource, ServedSources } from "./read-served.ts";
import type { TokenInfo, TokenLookups } from "./token-lookups.ts";

/** Maximum minutes scanned for one page; beyond it the engine would be as fast. */
const BUDGET = 20_000;

/** Answers a page of candles from minutes held by key; undefined if these do not reach far enough. */
export async function readBuckets(
  dataset: DatasetDefinition,
  served: ServedBuckets,
  {
    given,
    page,
    sources,
    lookups,
  }: {
    readonly given: Readonly<Record<string, Bound>>;
    readonly page: PageOf;
    readonly sources: ServedSources;
    readonly lookups: TokenLookups | undefined;
  },
): Promise<ServedPage | undefined> {
  const requested = served.search(given);
  if (requested === undefined) return undefined;
  const search = page.cursor ? behind(requested, String(page.cursor.after[0])) : requested;
  const found = served.minutes.map(({ table }) => sources(table.name));
  const held = found.filter((source) => source !== undefined);
  if (held.length < found.length) return undefined;
  const marks = held.map((source) => source.asOf()).filter((mark) => mark !== undefined);
  const depth = page.offset + page.limit + 1;
  const readSet = new ReadSet();
  const buckets = bucketsIn(held, { served, search, depth, readSet });
  if (buckets === undefined) return undefined;
  const info = (await lookups?.infoOf([search.key]))?.get(search.key) ?? {};
  const bytes = pageOf(dataset, served, { search, buckets, info, page, depth });
  const readers = new Map(served.minutes.map(({ table }, index) => [table.name, (held[index] as ServedSource).reader]));
  return {
    ...bytes,
    asOf: marks.length === 0 ? undefined : Math.min(...marks),
    readFrom: { readSet, readers, others: [] },
  };
}

function bucketsIn(
  sources: readonly ServedSource[],
  {
    served,
    search,
    depth,
    readSet,
  }: {
    readonly served: ServedBuckets;
    readonly search: BucketSearch;
    readonly depth: number;
    readonly readSet: ReadSet;
  },
): Bucket[] | undefined {
  // Nested reads, so that each index is read at a single point in time.
  const read = sources.reduce(
    (work, { reader }) =>
      () =>
        reader.read(work, readSet),
    () => find(sources, served, search, depth),
  );
  try {
    return read();
  } catch (cause) {
    for (const source of sources) source.failed(cause);
    return undefined;
  }
}

/** The buckets up to the end of the page, plus one if more follow; undefined if the index may lack some. */
function find(
  sources: readonly ServedSource[],
  served: ServedBuckets,
  search: BucketSearch,
  depth: number,
): Bucket[] | undefined {
  const floors = sources.map(({ reader }) => reader.floor());
  const floor = floors.some((each) => each === undefined) ? undefined : Math.max(...(floors as number[]));
  if (floor === undefined) return undefined;
  const whole = wholeFrom(search, floor);
  if (search.isForward && search.from < whole) return undefined;
  const reached = { ...search, from: Math.max(search.from, whole) };
  const fold = (range: BucketSearch): Bucket[] | undefined =>
    foldBuckets(minutesOf(sources, served, range), range, depth, BUDGET);
  const buckets =
    search.fill === "previous"
      ? fillBuckets(reached, depth, {
          fold,
          closeUpTo: (second) => closeUpTo(sources, served, { search, second, floor }),
        })
      : fold(reached);
  const isAll = reached.from === search.from;
  return buckets !== undefined && (isAll || buckets.length === depth) ? buckets : undefined;
}

const minutesOf = (sources: readonly ServedSource[], served: ServedBuckets, search: BucketSearch): Minutes[] =>
  served.minutes.map(({ key, taken }, index) => {
    const { reader } = sources[index] as ServedSource;
    const { layout } = reader;
    const bytes = reader.keyOf(key, search.key);
    const tree = reader.treeBy(key);
    const walk =
      bytes &&
      (search.isForward ? new UpWalk(tree, layout, bytes, search.from) : walkDown(tree, layout, bytes, search.to));
    return { reader, walk, taken };
  });

type Looking = { readonly search: BucketSearch; readonly second: number; readonly floor: number };

/** The last trade up to a second; null if there is none, undefined if it may be older than the index. */
function closeUpTo(
  sources: readonly ServedSource[],
  served: ServedBuckets,
  { search, second, floor }: Looking,
): Traded | null | undefined {
  const back = { ...search, fill: "none", isForward: false, from: 0, to: second } as const;
  // Read only the table that says whether there was a trade, one bucket per minute.
  const lengths = { ...search.lengths, length: 1, shift: 0 };
  const minutes = minutesOf(sources.slice(0, 1), { ...served, minutes: served.minutes.slice(0, 1) }, back);
  const found = foldBuckets(minutes, { ...back, lengths }, 1, BUDGET);
  const [last] = found ?? [];
  if (last !== undefined) return { second: last.name, close: closeOf(last) };
  return found !== undefined && floor === 0 ? null : undefined;
}

/** The first second from which buckets are complete. */
function wholeFrom({ lengths }: BucketSearch, floor: number): number {
  if (floor === 0) return 0;
  const bucket = bucketAt(lengths, floor);
  return firstOf(lengths, bucket) === floor ? floor : lastOf(lengths, bucket) + 1;
}

/** Narrows a search to what follows the cursor's bucket. */
function behind(search: BucketSearch, after: string): BucketSearch {
  const bucket = Date.parse(after) / 1000;
  return search.isForward
    ? { ...search, from: Math.max(search.from, lastOf(search.lengths, bucket) + 1) }
    : { ...search, to: Math.min(search.to, firstOf(search.lengths, bucket) - 1) };
}

/** Renders buckets as the bytes the engine would produce for the page. */
function pageOf(
  dataset: DatasetDefinition,
  served: ServedBuckets,
  {
    search,
    buckets,
    info,
    page,
    depth,
  }: {
    readonly search: BucketSearch;
    readonly buckets: readonly Bucket[];
    readonly info: TokenInfo;
    readonly page: PageOf;
    readonly depth: number;
  },
): PageBytes {
  const print = printerOf(dataset.row, page.format === "typed" ? "typed" : "raw");
  const ofToken = (attribute: string): string | null => String(info[attribute] ?? "") || null;
  const shown = buckets.slice(page.offset, page.offset + page.limit);
  const rows = shown.map(({ name, taken }) => print(search.row(name, (of) => taken.get(of) ?? null, ofToken)));
  const hasMore = buckets.length === depth;
  const last = hasMore ? (JSON.parse(rows.at(-1) as string) as Record<string, unknown>) : undefined;
  const text = page.format === "ndjson" ? rows.map((row) => `${row}\n`).join("") : `[${rows.join(",")}]`;
  const body = bytesOfText(text);
  const keys = last && served.order.map((key) => key.value(last));
  return { body, rowCount: rows.length, hasMore, last: keys, etag: etagOf(body, hasMore, page) };
}
