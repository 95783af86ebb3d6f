import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { DaySearch, MadeRow, ServedDay, ServedDays } from "../../definition/served-days.ts";
import type { Bound } from "../../definition/sql.ts";
import type { ServingReader } from "../../serving/reader.ts";
import { keyOfValue } from "../../serving/tree-key.ts";
import { UpWalk } from "../../serving/up-walk.ts";
import type { Keys } from "../place.ts";
import { etagOf, type PageBytes, type PageOf } from "../read-page.ts";
import { printerOf } from "./print-made.ts";
import type { ServedPage, ServedSources } from "./read-served.ts";

type Found = Pick<MadeRow, "at" | "values"> & { readonly key: string };
type Place = Pick<Found, "at" | "key">;

/** How many days are looked at for one page: what the engine needs as long for as this takes. */
const BUDGET = 20_000;

/** Answers a page of what is made of days held by their keys; undefined where these do not reach. */
export function readDays(
  dataset: DatasetDefinition,
  served: ServedDays,
  {
    given,
    page,
    sources,
  }: { readonly given: Readonly<Record<string, Bound>>; readonly page: PageOf; readonly sources: ServedSources },
): ServedPage | undefined {
  const source = sources(served.days.name);
  const search = served.search(given, page.now);
  if (source === undefined || search === undefined) return undefined;
  const asOf = source.asOf();
  try {
    const { reader } = source;
    const rows = reader.read(() => find(reader, served, search, page));
    return rows && { ...pageOf(dataset, served, search, rows, page), asOf };
  } catch (cause) {
    source.failed(cause);
    return undefined;
  }
}

/** The rows of the page and all before it, and one more where there is one; undefined where they may be too few. */
function find(reader: ServingReader, served: ServedDays, search: DaySearch, page: PageOf): Found[] | undefined {
  const floor = reader.floor();
  if (floor === undefined || search.from < floor) return undefined;
  const depth = page.offset + page.limit + 1;
  const before = page.cursor && placeOf(page.cursor.after);
  const order = comparing(search);
  const walked = { days: 0 };
  const found: Found[] = [];
  for (const key of new Set(search.keys)) {
    let left = depth;
    for (const { at, values } of search.rows(key, daysOf(reader, served, key, search, walked))) {
      if (before !== undefined && order({ at, key }, before) <= 0) continue;
      found.push({ at, values, key });
      left -= 1;
      if (left === 0 && search.isBackward !== true) break;
    }
    if (walked.days > BUDGET) return undefined;
  }
  return found.toSorted(order).slice(0, depth);
}

/** The days of a key, the earliest first; no more than may be looked at. */
function* daysOf(
  reader: ServingReader,
  { key: column }: ServedDays,
  key: string,
  { from, to }: DaySearch,
  walked: { days: number },
): Generator<ServedDay, void, void> {
  const { layout } = reader;
  const bytes = keyOfValue(layout.column(column), key, reader.dictionary);
  if (bytes === undefined) return;
  const walk = new UpWalk(reader.treeBy(column), layout, bytes, from);
  const columns = new Map(layout.columns.map((each) => [each.name, each]));
  const view = reader.view();
  const day: ServedDay = {
    number: (name) => view.number(columns.get(name) ?? layout.column(name)),
    micros: (name) => view.micros(columns.get(name) ?? layout.column(name)),
  };
  while (walk.step() && walk.rows !== undefined) {
    if (view.move(walk.rows, walk.at).number(layout.moment.column) > to) return;
    walked.days += 1;
    if (walked.days > BUDGET) return;
    yield day;
  }
}

const placeOf = (after: Keys): Place =>
  after.length === 1
    ? { at: 0, key: String(after[0]) }
    : { at: Date.parse(String(after[0])) / 1000, key: String(after[1]) };

const byKey = (a: Place, b: Place): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

function comparing({ isBackward }: DaySearch): (a: Place, b: Place) => number {
  return isBackward === true ? (a, b) => b.at - a.at || byKey(a, b) : (a, b) => a.at - b.at || byKey(a, b);
}

/** Rows as the page of bytes that the engine makes of them. */
function pageOf(
  dataset: DatasetDefinition,
  { order }: ServedDays,
  search: DaySearch,
  found: readonly Found[],
  page: PageOf,
): PageBytes {
  const print = printerOf(dataset.row, page.format === "typed" ? "typed" : "raw");
  const rows = found.slice(page.offset, page.offset + page.limit).map(({ values }) => print(values()));
  const hasMore = found.length > page.offset + page.limit;
  const last = hasMore ? (JSON.parse(rows.at(-1) as string) as Record<string, unknown>) : undefined;
  if (search.isBackward === true) rows.reverse();
  const text = page.format === "ndjson" ? rows.map((row) => `${row}\n`).join("") : `[${rows.join(",")}]`;
  const body = Buffer.from(text);
  const keys = last && order.map((key) => key.value(last));
  return { body, rowCount: rows.length, hasMore, last: keys, etag: etagOf(body, hasMore, page) };
}
