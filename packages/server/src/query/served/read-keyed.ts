import type { ReadBoard } from "../../definition/board.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { atOnce } from "../../definition/beside.ts";
import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import type {
  KeyedAsking,
  KeyedReader,
  KeyedRow,
  KeyedSearch,
  ReadStatement,
  ServedKeyed,
} from "../../definition/served-keyed.ts";
import type { ReadEngine } from "../../definition/read-engine.ts";
import type { Bound } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { ReadSet } from "../../serving/key-versions.ts";
import type { Column, Layout } from "../../serving/layout.ts";
import type { ServingReader } from "../../serving/reader.ts";
import type { RowView } from "../../serving/row-view.ts";
import { walkDown, type Walking } from "../../serving/page.ts";
import type { BlockTree } from "../../serving/tree.ts";
import { UpWalk } from "../../serving/up-walk.ts";
import type { Store } from "../../store/store.ts";
import type { PageOf } from "../read-page.ts";
import { findKeyed, type Found } from "./find-keyed.ts";
import { isText, keyedPage } from "./keyed-page.ts";
import type { ServedPage, ServedSource, ServedSources } from "./read-served.ts";
import type { TokenSource, TokenSources } from "./token-lookups.ts";

/** How many rows are looked at for one page: what the engine needs as long for as this takes. */
const BUDGET = 20_000;
const EVER = { from: 0, to: LAST_SECOND };

export type KeyedSources = {
  readonly store: Pick<Store, "read">;
  readonly sources: ServedSources;
  readonly tokenSources: TokenSources;
  readonly statement: ReadStatement;
  readonly board: ReadBoard;
  readonly read: ReadEngine;
};

/** Answers a page of what is made of rows held by their keys; undefined where these do not reach. */
export async function readKeyed(
  dataset: DatasetDefinition,
  served: ServedKeyed,
  { given, page, from }: { given: Readonly<Record<string, Bound>>; page: PageOf; from: KeyedSources },
): Promise<ServedPage | undefined> {
  const others: TableDefinition[] = [];
  const readSet = new ReadSet();
  const { offset, now } = page;
  const depth = offset + page.limit + 1;
  const asking = { ...from, now, ...walkOf(page), depth, offset };
  const search = await served.search(given, tracking(asking, others, readSet));
  if (search === undefined) return undefined;
  const reads = search.reads ?? served;
  const tokens = reads.tokens && from.tokenSources(reads.tokens.name);
  if (reads.tokens !== undefined && tokens === undefined) return undefined;
  const read = new Map<string, ServedSource>();
  for (const { name } of reads.tables) {
    const source = from.sources(name);
    if (source === undefined) return undefined;
    read.set(name, source);
  }
  const asOf = earliest([...read.values()].map((source) => source.asOf()));
  if (search.isOnSnapshot === true && !isHeldOf(page, asOf)) return undefined;
  const rows = findIn({ read, tokens, readSet }, search, page);
  const readers = new Map([...read].map(([name, { reader }]) => [name, reader]));
  const bytes = rows && (await keyedPage(from.store, { dataset, served, given, search, page }, rows));
  return bytes && { ...bytes, asOf, readFrom: { readSet, readers, others } };
}

/** Collects the tables that a search reads otherwise than by key, as far as they are known. */
const tracking = (asking: KeyedAsking, others: TableDefinition[], readSet: ReadSet): KeyedAsking => ({
  ...asking,
  statement: (text, tables) => {
    others.push(...tables);
    return asking.statement(text, tables);
  },
  board: (wanted) => {
    others.push(...wanted.tables);
    return asking.board(wanted);
  },
  get read() {
    readSet.invalidate();
    return asking.read;
  },
});

/** Where a walk by cursor goes on, and when it began. */
export const walkOf = ({ cursor }: PageOf): Pick<KeyedAsking, "after" | "snapshot"> => ({
  after: cursor?.after,
  snapshot: cursor && Number(cursor.snapshot.value),
});

/** Whether all that a walk is to show is there. */
function isHeldOf(page: PageOf, asOf: number | undefined): boolean {
  const { snapshot = 0 } = walkOf(page);
  return isText(page.format) && (asOf === undefined || snapshot <= asOf);
}

const earliest = (moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

type Sources = {
  readonly read: ReadonlyMap<string, ServedSource>;
  readonly tokens: TokenSource | undefined;
  readonly readSet: ReadSet;
};

/** The rows of the page and all before it, and one more where there is one; undefined where they may be too few. */
function findIn(sources: Sources, search: KeyedSearch, page: PageOf): Found[] | undefined {
  let at: Pick<ServedSource, "failed"> | undefined;
  /** What is read of a table is of one moment. */
  const within = (left: readonly ServedSource[]): Found[] | undefined => {
    const [source, ...others] = left;
    if (source === undefined)
      return atOnce(
        findKeyed(
          reading(sources, (one) => void (at = one)),
          search,
          page,
        ),
      );
    at = source;
    return source.reader.read(() => {
      const floor = source.reader.floor();
      return floor === undefined || (search.from ?? floor) < floor ? undefined : within(others);
    }, sources.readSet);
  };
  try {
    return within([...sources.read.values()]);
  } catch (cause) {
    if (cause !== TOO_MANY && cause !== BELOW_FLOOR) at?.failed(cause);
    return undefined;
  }
}

type Begin = (tree: BlockTree, layout: Layout, key: Buffer) => Walking;

/** Thrown where more rows are asked for than may be looked at for one page. */
const TOO_MANY = new Error(`more than ${BUDGET} rows`);

/** Thrown where rows are asked for that are older than what the index has. */
const BELOW_FLOOR = new Error("older rows are not in the index");

/** Reads rows by key, no more than may be looked at; `reads` is told of each source before it is read. */
function reading({ read, tokens }: Sources, reads: (source: Pick<ServedSource, "failed">) => void): KeyedReader {
  let walked = 0;
  const sourceOf = (name: string): ServedSource => {
    const source = read.get(name);
    if (source === undefined) throw new TypeError(`${name} is not among the tables that are read`);
    reads(source);
    return source;
  };
  function* walk(
    { name }: ServedTable,
    column: string,
    value: string,
    begin: Begin,
    to = LAST_SECOND,
  ): Generator<KeyedRow, void, void> {
    const { reader } = sourceOf(name);
    const { layout } = reader;
    const key = reader.keyOf(column, value);
    if (key === undefined) return;
    const walking = begin(reader.treeBy(column), layout, key);
    const { row, view } = rowOf(reader);
    while (walking.step() && walking.rows !== undefined) {
      if (view.move(walking.rows, walking.at).number(layout.moment.column) > to) return;
      walked += 1;
      if (walked > BUDGET) throw TOO_MANY;
      yield row;
    }
  }
  return {
    tokens: (ids) => {
      if (tokens === undefined) throw new TypeError("tokens are not among what is read");
      reads(tokens);
      return tokens.reader.infosOf(ids);
    },
    rows: (table, column, value, { from, to } = EVER) =>
      walk(table, column, value, (tree, layout, key) => new UpWalk(tree, layout, key, from), to),
    latest: function* latest(table, column, value, { from, to }) {
      for (const row of walk(table, column, value, (tree, layout, key) => walkDown(tree, layout, key, to))) {
        yield row;
        if (row.number(table.sort[0]) <= from) return;
      }
    },
    back: function* back(table, column, value, to) {
      const { reader } = sourceOf(table.name);
      const { perSecond } = reader.layout.moment;
      const floor = (reader.floor() ?? 0) * perSecond;
      const begin: Begin = (tree, layout, key) => walkDown(tree, layout, key, (to + 1) * perSecond - 1);
      for (const row of walk(table, column, value, begin, Infinity)) {
        if (row.number(table.sort[0]) < floor) break;
        yield row;
      }
      if (floor > 0) throw BELOW_FLOOR;
    },
    isWhole: () => true,
  };
}

/** The row that a view is at. */
function rowOf(reader: ServingReader): { readonly row: KeyedRow; readonly view: RowView } {
  const view = reader.view();
  const columnOf = columnsOf(reader.layout);
  const row: KeyedRow = {
    number: (name) => view.number(columnOf(name)),
    micros: (name) => view.micros(columnOf(name)),
    value: (name) => view.value(columnOf(name)),
  };
  return { row, view };
}

const columns = new WeakMap<Layout, Map<string, Column>>();

function columnsOf(layout: Layout): (name: string) => Column {
  const known = columns.get(layout) ?? new Map(layout.columns.map((each) => [each.name, each]));
  columns.set(layout, known);
  return (name) => known.get(name) ?? layout.column(name);
}
