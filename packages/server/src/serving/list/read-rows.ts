import type { DatasetDefinition } from "../../definition/dataset.ts";
import { storedAs } from "../../definition/filter.ts";
import { listedSql, type Listed } from "../../definition/listed.ts";
import { bind, fromDefinition, joined, name, sql, type Sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import { VERSIONS_BELOW } from "./held-list.ts";

/** A row as read: the text of its answer, followed by its search texts, and the values kept of its columns. */
export type ReadRow = {
  readonly text: Buffer;
  /** Length of the answer's part of the text. */
  readonly shown: number;
  readonly values: Readonly<Record<string, string | readonly string[] | null>>;
  readonly version: number;
};

/** Rows per statement. */
const CHUNK_ROWS = 2_000;
const READING = { max_execution_time: 600 };
const NEWLINE = 0x0a;
const END = 0x7d;
const TERMS = Buffer.from(',"term_0":');
const VALUES = Buffer.from(',"value_version":');

type Reading = Pick<Store, "read" | "rows">;

/** All current rows, ordered by key and in chunks. */
export async function* allRows(store: Reading, dataset: DatasetDefinition): AsyncGenerator<readonly ReadRow[]> {
  const { table, unique, columns } = listedOf(dataset);
  for (let where = sql`1`; ;) {
    const statement = sql`SELECT ${columnsOf(dataset)} FROM ${table} FINAL WHERE ${where} ORDER BY ${name(unique)} LIMIT ${bind("UInt64", CHUNK_ROWS)}`;
    const rows = await readChunk(store, statement, columns);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK_ROWS) return;
    where = sql`${name(unique)} > ${keyOf(dataset, last)}`;
  }
}

/** Rows stored with a version above `after`, and at most `through` if given, older versions first. */
export async function* rowsStored(
  store: Reading,
  dataset: DatasetDefinition,
  after: number,
  through?: number,
): AsyncGenerator<readonly ReadRow[]> {
  const { table, unique, columns } = listedOf(dataset);
  const until = through === undefined ? sql`` : sql` AND version <= ${versionOf(through)}`;
  for (let where = sql`version > ${versionOf(Math.max(0, after))}`; ;) {
    const statement = sql`SELECT ${columnsOf(dataset)} FROM ${table} WHERE ${where}${until} ORDER BY version, ${name(unique)} LIMIT ${bind("UInt64", CHUNK_ROWS)}`;
    const rows = await readChunk(store, statement, columns);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK_ROWS) return;
    const version = versionOf(last.version);
    where = sql`version >= ${version} AND (version, ${name(unique)}) > (${version}, ${keyOf(dataset, last)})`;
  }
}

/**
 * In one snapshot: the number of rows, their newest version, and the sum of all versions, each modulo VERSIONS_BELOW.
 */
export async function countRows(
  store: Reading,
  dataset: DatasetDefinition,
): Promise<{ readonly count: number; readonly newest: number; readonly sum: number }> {
  const [row] = await store.rows<{ count: string; newest: string; sum: string }>(
    sql`SELECT toString(count()) AS count, toString(max(version)) AS newest, toString(sum(version % ${bind("UInt64", VERSIONS_BELOW)})) AS sum FROM ${listedOf(dataset).table} FINAL`,
  );
  return { count: Number(row?.count ?? 0), newest: Number(row?.newest ?? 0), sum: Number(row?.sum ?? 0) };
}

export function listedOf({ listed, name: dataset }: DatasetDefinition): Listed {
  if (listed === undefined) throw new TypeError(`${dataset} has no list of rows`);
  return listed;
}

const versionOf = (version: number): Sql => sql`${bind("UInt64", String(version))}`;

function keyOf(dataset: DatasetDefinition, { values }: ReadRow): Sql {
  const { unique, columns } = listedOf(dataset);
  const column = columns[unique];
  const key = bind("String", String(values[unique]));
  return column?.kind === "text" && column.form === "hash" ? storedAs.hash(key) : storedAs.text(key);
}

/** The fields of the answer, then the search texts, then the kept values of the other columns. */
function columnsOf(dataset: DatasetDefinition): Sql {
  const { columns } = listedOf(dataset);
  const fields = Object.entries(dataset.row).map(
    ([field, { render }]) => sql`${render(name(field), "raw")} AS ${name(field)}`,
  );
  const [terms, values] = partsOf(columns);
  const read =
    (alias: string) =>
    (column: string, at: number): Sql =>
      sql`${listedSql(column, columns[column] as Listed["columns"][string])} AS ${fromDefinition(`${alias}_${at}`)}`;
  const version = sql`toString(version) AS value_version`;
  return joined([...fields, ...terms.map(read("term")), version, ...values.map(read("value"))], sql`, `);
}

/** The names of the columns with search texts, and of the others. */
function partsOf(columns: Listed["columns"]): [string[], string[]] {
  const isTerm = (column: string): boolean => ["text", "texts", "words"].includes(columns[column]?.kind ?? "");
  const all = Object.keys(columns);
  return [all.filter(isTerm), all.filter((column) => !isTerm(column))];
}

async function readChunk(store: Reading, statement: Sql, columns: Listed["columns"]): Promise<ReadRow[]> {
  const bytes = await store.read(statement, { settings: READING });
  const [terms, values] = partsOf(columns);
  const rows: ReadRow[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = bytes.indexOf(NEWLINE, from);
    rows.push(readLine(bytes.subarray(from, to), terms, values));
    from = to + 1;
  }
  return rows;
}

/** Splits a line at our column names, which no value can contain since quotes in values are escaped. */
function readLine(line: Buffer, terms: readonly string[], values: readonly string[]): ReadRow {
  const [shown, end] = [line.lastIndexOf(TERMS), line.lastIndexOf(VALUES)];
  const read = JSON.parse(`{${line.toString("utf8", shown + 1)}`) as ReadRow["values"];
  // The comma between both parts becomes the closing brace of the answer's.
  line[shown] = END;
  const named = [
    ...terms.map((column, at) => [column, read[`term_${at}`] ?? null] as const),
    ...values.map((column, at) => [column, read[`value_${at}`] ?? null] as const),
  ];
  return {
    text: line.subarray(0, end),
    shown: shown + 1,
    values: Object.fromEntries(named),
    version: Number(read["value_version"]),
  };
}
