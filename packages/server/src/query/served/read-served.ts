import type { Format } from "../../definition/column.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { timestampMicros } from "../../definition/timestamp.ts";
import type { Served, ServedSearch } from "../../definition/served-dataset.ts";
import type { Bound } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { readMark } from "../../serving/feed/known-parts.ts";
import { ReadSet } from "../../serving/key-versions.ts";
import type { Page } from "../../serving/page.ts";
import type { ServingReader } from "../../serving/reader.ts";
import { StoreError } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import type { FormatType } from "../answer.ts";
import { release } from "../buffer-pool.ts";
import type { Keys } from "../compose.ts";
import { etagOf, type PageBytes, type PageOf } from "../read-page.ts";
import { BUDGET } from "./find-in-indexes.ts";
import { identityOfKeys } from "./place-in-index.ts";
import { readBuckets } from "./read-buckets.ts";
import { readKeyed, type KeyedSources } from "./read-keyed.ts";
import { PageBuffer } from "./page-buffer.ts";
import { rowTest } from "./row-tests.ts";
import { RowRenderer, type Frame } from "./row-renderer.ts";
import { openTokenLookups, type TokenLookups, type TokenSources } from "./token-lookups.ts";

/** Rows of a served table held by key, including all that were stored until a moment ago. */
export type ServedSource = {
  readonly reader: ServingReader;
  /** Time up to which stored rows are in it (microseconds since 1970), if some are still in transit. */
  readonly asOf: () => number | undefined;
  /** Called with the reason a read failed; the query then falls back to the engine. */
  readonly failed: (cause: unknown) => void;
};

/** Returns the source of a served table by name; undefined if none is available now. */
export type ServedSources = (table: string) => ServedSource | undefined;

/** The sources of a page: index keys of some tables, and all rows of others. */
export type ReadFrom = {
  readonly readSet: ReadSet;
  /** By table. */
  readonly readers: ReadonlyMap<string, ServingReader>;
  /** Tables read in another way, whether or not they are also in `readers`. */
  readonly others: readonly TableDefinition[];
};

export type ServedPage = PageBytes & {
  /** The page lacks rows that were stored later (microseconds since 1970). */
  readonly asOf: number | undefined;
  /** Time up to which it may have rows, if they are chosen by the time of storing. */
  readonly through?: number;
  readonly readFrom: ReadFrom;
};

/** Answers a page from the rows held by key; undefined if these do not reach far enough and the engine must answer. */
export type ReadServed = (
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  page: PageOf,
) => Promise<ServedPage | undefined>;

const MAX_OFFSET = 5_000;
const MICROS = 1_000_000;

const COMMA = 0x2c;
const NEWLINE = 0x0a;
const ARRAY: Frame = { begin: "[", between: COMMA, end: "]", none: "[]" };
const FRAMES: Partial<Record<FormatType, Frame>> = {
  raw: ARRAY,
  typed: ARRAY,
  ndjson: { begin: "", between: NEWLINE, end: "\n", none: "" },
};

const noTokens: TokenLookups["tokensOf"] = () => Promise.reject(new TypeError("the rows have no tokens"));

export function openReadServed(
  store: Pick<Store, "read" | "rows" | "ownStampOf">,
  sources: ServedSources,
  asking: Pick<KeyedSources, "statement" | "board" | "read">,
  tokenSources: TokenSources = () => undefined,
): ReadServed {
  const out = new PageBuffer();
  const from = { store, sources, tokenSources, ...asking };
  const lookups = new Map<string, TokenLookups>();
  const renderers = new WeakMap<ServingReader, Map<string, RowRenderer>>();
  const lookupsOf = ({ tokens }: Pick<Served, "tokens">): TokenLookups | undefined => {
    if (tokens === undefined) return undefined;
    const found = lookups.get(tokens.name) ?? openTokenLookups(store, tokens, tokenSources);
    lookups.set(tokens.name, found);
    return found;
  };
  const rendererOf = (reader: ServingReader, dataset: DatasetDefinition, served: Served, form: Format): RowRenderer => {
    const known = renderers.get(reader) ?? new Map<string, RowRenderer>();
    renderers.set(reader, known);
    const name = `${dataset.name} ${form}`;
    const found = known.get(name) ?? new RowRenderer(reader, dataset, { served, form, lookups: lookupsOf(served) });
    known.set(name, found);
    return found;
  };
  return async (dataset, given, page) => {
    const { served } = dataset;
    const frame = FRAMES[page.format];
    const depth = page.offset + page.limit + 1;
    if (served === undefined || page.offset > MAX_OFFSET || depth > BUDGET) return undefined;
    if (served.tables) return readKeyed(dataset, served, { given, page, from });
    if (frame === undefined) return undefined;
    if (served.minutes) return readBuckets(dataset, served, { given, page, sources, lookups: lookupsOf(served) });
    if (sources(served.table.name) === undefined) return undefined;
    const search = await served.search(given, lookupsOf(served)?.tokensOf ?? noTokens);
    if (search === undefined) return undefined;
    // Another index may have replaced it meanwhile, or it fell behind.
    const source = sources(served.table.name);
    const asOf = source?.asOf();
    if (asOf !== undefined && page.cursor !== undefined && Number(page.cursor.snapshot.value) > asOf) return undefined;
    const readSet = new ReadSet();
    const found = source && findIn(source, { served, search, page, depth, readSet });
    if (source === undefined || found === undefined) return undefined;
    try {
      const renderer = rendererOf(source.reader, dataset, served, page.format === "typed" ? "typed" : "raw");
      const bytes = await pageOf(found.rows, renderer, { served, page, depth, frame, out });
      return {
        ...bytes,
        asOf,
        through: found.through,
        readFrom: { readSet, readers: new Map([[served.table.name, source.reader]]), others: [] },
      };
    } catch (cause) {
      // From the engine, which is queried for tokens.
      if (cause instanceof StoreError) throw cause;
      source.failed(cause);
      return undefined;
    }
  };
}

type Rendering = {
  readonly served: Served;
  readonly page: PageOf;
  readonly depth: number;
  readonly frame: Frame;
  readonly out: PageBuffer;
};

async function pageOf(
  found: Page["rows"],
  renderer: RowRenderer,
  { served, page, depth, frame, out }: Rendering,
): Promise<PageBytes> {
  const from = Math.min(page.offset, found.length);
  const to = Math.min(from + page.limit, found.length);
  const tokens = await renderer.tokensOf(found, from, to);
  const body = await renderer.renderInSlices(found, from, to, tokens, frame, out);
  const hasMore = found.length === depth;
  const row = hasMore ? renderer.render(found, to - 1, to, tokens.slice(-1), ROW, out) : undefined;
  const last = row && keysOf(served, row);
  if (row) release(row);
  return { body, rowCount: to - from, hasMore, last, etag: etagOf(body, hasMore, page) };
}

const ROW: Frame = { begin: "", between: 0, end: "", none: "" };

/** Reads the order keys back from the rendered row, as for the engine's rows. */
function keysOf({ order }: Served, row: Buffer): Keys {
  const values = JSON.parse(row.toString("utf8")) as Record<string, unknown>;
  return order.map((key) => key.value(values));
}

type Finding = {
  readonly served: Served;
  readonly search: ServedSearch;
  readonly page: PageOf;
  readonly depth: number;
  readonly readSet: ReadSet;
};

/** Rows of an index, and the newest time of storing in it. */
type InIndex = Pick<Page, "rows"> & { readonly through: number };

function findIn(source: ServedSource, finding: Finding): InIndex | undefined {
  try {
    return find(source.reader, finding);
  } catch (cause) {
    source.failed(cause);
    return undefined;
  }
}

/** The rows up to the end of the page, plus one if more follow; undefined if the index may lack some. */
function find(
  reader: ServingReader,
  { served, search: { by, from, to, tests }, page: { cursor }, depth, readSet }: Finding,
): InIndex | undefined {
  const before = cursor && identityOfKeys(reader.layout, cursor.after);
  if (cursor !== undefined && before === undefined) return undefined;
  const stored = cursor && { column: served.table.storedAt, most: String(cursor.snapshot.value) };
  const { perSecond } = reader.layout.timestamp;
  const units = MICROS / perSecond;
  const start = from === undefined ? 0 : Math.ceil(timestampMicros(from) / units);
  return reader.read(() => {
    const known = reader.floor();
    if (known === undefined) return undefined;
    const floor = known * perSecond;
    const { rows, end } = reader.page({
      by,
      before,
      from: Math.max(start, floor),
      to: to && Math.floor(timestampMicros(to) / units),
      test: rowTest(reader, stored ? [...tests, stored] : tests),
      limit: depth,
      budget: BUDGET,
    });
    const isAll = end === "rows" && (start >= floor || by?.values.length === 0);
    return isAll || rows.length === depth ? { rows, through: readMark(reader.mark()) } : undefined;
  }, readSet);
}
