import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import type { KeyedReader, KeyedRow } from "../../definition/served-keyed.ts";
import type { Column, Layout } from "../../serving/layout.ts";
import { walkDown, type Walking } from "../../serving/page.ts";
import type { ServingReader } from "../../serving/reader.ts";
import type { RowView } from "../../serving/row-view.ts";
import type { BlockTree } from "../../serving/tree.ts";
import { UpWalk } from "../../serving/up-walk.ts";
import type { ServedSource } from "./read-served.ts";
import type { TokenSource } from "./token-lookups.ts";

const EVER = { from: 0, to: LAST_SECOND };

/** The indexes of a page, by table. */
export type Walked = {
  readonly read: ReadonlyMap<string, ServedSource>;
  readonly tokens: TokenSource | undefined;
};

type Begin = (tree: BlockTree, layout: Layout, key: Buffer) => Walking;

/** Thrown if a page needs more rows than may be scanned. */
export const TOO_MANY: unique symbol = Symbol("too many rows for one page");

/** Thrown if a page needs rows older than the index contains. */
export const BELOW_FLOOR: unique symbol = Symbol("older rows are not in the index");

/** Reads rows by key, at most `most`; calls `reads` with each source before reading it. */
export function reading(
  { read, tokens }: Walked,
  most: number,
  reads: (source: Pick<ServedSource, "failed">) => void,
): KeyedReader {
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
      if (view.move(walking.rows, walking.at).number(layout.timestamp.column) > to) return;
      walked += 1;
      if (walked > most) throw TOO_MANY;
      yield row;
    }
  }
  return {
    tokens: (ids) => {
      if (tokens === undefined) throw new TypeError("tokens are not read here");
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
      const { perSecond } = reader.layout.timestamp;
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

/** The row at the view's current position. */
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
