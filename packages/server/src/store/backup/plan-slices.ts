import { bind, fromDefinition, sql } from "../../definition/sql.ts";
import type { Store } from "../store.ts";
import { columnList, type MovedTable, sliceColumn, sliceSql, sliceText, type Slice } from "./moved-table.ts";
import { UNLIMITED } from "./storage.ts";

const SAMPLES = 20_000;
const MEASURED_ROWS = 2000;
const ROWS_A_SLICE = 2_000_000;
/**
 * A single value with more than this many times a slice's rows is divided by the hash of the key, and a slice of an
 * earlier backup with more is divided again.
 */
const MAX_TIMES = 2;

/** A value of the leading column and the approximate number of its rows. */
type Weight = { readonly at: string; readonly rows: number };

/**
 * Divides a slice of a table, by default all of it, into slices of about `bytes` in the engine's memory, in sort order;
 * together they cover it. Those into which it is divided already stay unless they became too large.
 */
export async function planSlices(
  store: Pick<Store, "rows">,
  table: MovedTable,
  bytes: number,
  whole: Pick<Slice, "from" | "to"> = {},
  known: readonly Slice[] = [],
): Promise<Slice[]> {
  const from = sql`(SELECT * FROM ${fromDefinition(table.name)} WHERE ${sliceSql(table, whole)})`;
  const list = fromDefinition(columnList(table));
  const [counted] = await store.rows<{ n: string }>(sql`SELECT toString(count()) AS n FROM ${from}`, UNLIMITED);
  const count = Number(counted?.n ?? 0);
  if (count === 0) return [...known];
  const [measured] = await store.rows<{ width: number }>(
    sql`SELECT avg(byteSize(${list})) AS width FROM (SELECT ${list} FROM ${from} LIMIT ${bind("UInt32", MEASURED_ROWS)})`,
    UNLIMITED,
  );
  const most = Math.max(1, Math.min(ROWS_A_SLICE, Math.floor(bytes / Math.max(1, measured?.width ?? 1))));
  if (count <= most * MAX_TIMES * known.length) return [...known];
  if (count <= most) return [whole];
  const every = Math.max(1, Math.floor(count / SAMPLES));
  const text = fromDefinition(sliceText(sliceColumn(table)));
  const lead = fromDefinition(sliceColumn(table).name);
  const sampled = await store.rows<{ at: string; n: string }>(
    sql`SELECT ${text} AS at, toString(count()) AS n FROM ${from} WHERE rowNumberInAllBlocks() % ${bind("UInt64", every)} = 0 GROUP BY ${lead} ORDER BY ${lead}`,
    UNLIMITED,
  );
  return toSlices(
    sampled.map(({ at, n }) => ({ at, rows: Number(n) * every })),
    most,
    whole,
  );
}

/** Sets a bound wherever the rows before it fill a slice. */
function toSlices(weights: readonly Weight[], most: number, whole: Pick<Slice, "from" | "to">): Slice[] {
  const slices: Slice[] = [];
  let { from } = whole;
  let rows = 0;
  const end = (to: string | undefined): void => {
    const of = rows > most * MAX_TIMES ? Math.ceil(rows / most) : 1;
    for (let index = 0; index < of; index += 1) slices.push({ from, to, share: of === 1 ? undefined : { index, of } });
    from = to;
    rows = 0;
  };
  for (const { at, rows: more } of weights) {
    if (rows > 0 && rows + more > most) end(at);
    rows += more;
  }
  end(whole.to);
  return slices;
}
