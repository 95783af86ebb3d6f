import { columnsIn, type StoredColumn, type TableDefinition } from "../definition/table.ts";

/** The column whose value shows whether a new version of a row differs in content. Present in tables with versions. */
export const CONTENT = "content";
const NOT_CONTENT = new Set(["ingested_at", "version"]);

/** The columns that an insert carries; the engine computes the others. */
export const sentColumns = (table: TableDefinition): [string, StoredColumn][] =>
  Object.entries(table.columns).filter(([, column]) => column.materialized === undefined);

/** Returns the statement that gives a copy its columns of some rows of its table. */
export function copyInto(table: TableDefinition, copy: string, rows: string): string {
  if (table.copiedColumns?.[copy] === undefined) return `INSERT INTO ${copy} SELECT * FROM ${rows}`;
  const list = columnsIn(table, copy).join(", ");
  return `INSERT INTO ${copy} (${list}) SELECT ${list} FROM ${rows}`;
}

export const hasVersions = (table: TableDefinition): boolean => table.engine !== "MergeTree";

/** Whether rows are compared by their content in the table itself. */
export const hasContent = (table: TableDefinition, name: string): boolean =>
  hasVersions(table) && table.copiedColumns?.[name] === undefined;

/** The columns whose values make up a row's content. */
export function contentColumns(table: TableDefinition): string[] {
  return sentColumns(table)
    .map(([column]) => column)
    .filter((column) => !NOT_CONTENT.has(column));
}

function columnLine(name: string, column: StoredColumn): string {
  const kind = column.materialized ? ` MATERIALIZED ${column.materialized}` : "";
  const standard = column.default ? ` DEFAULT ${column.default}` : kind;
  const codec = column.codec ? ` CODEC(${column.codec})` : "";
  return `  ${name} ${column.stored}${standard}${codec}`;
}

function columnLines(table: TableDefinition, name: string): string[] {
  const held = new Set(columnsIn(table, name));
  const lines = Object.entries(table.columns).flatMap(([column, stored]) =>
    held.has(column) ? [columnLine(column, stored)] : [],
  );
  return hasContent(table, name) ? [...lines, `  ${CONTENT} UInt64`] : lines;
}

/** The indexes (`INDEX name column …`) on columns that a sort order has. */
function indexesOf({ indexes = [], ...table }: TableDefinition, name: string): readonly string[] {
  if (table.copiedColumns?.[name] === undefined) return indexes;
  const held = columnsIn(table, name);
  return indexes.filter((index) => held.includes(index.split(" ")[2] ?? ""));
}

const INGESTED_INDEX = "INDEX ingested ingested_at TYPE minmax GRANULARITY 1";

function create(
  table: TableDefinition,
  name: string,
  engine: string,
  orderBy: readonly string[],
  more: { granularity: number | undefined; partitionBy?: string | undefined },
): string {
  const indexes = [...(table.columns["ingested_at"] ? [INGESTED_INDEX] : []), ...indexesOf(table, name)];
  const body = [...columnLines(table, name), ...indexes.map((index) => `  ${index}`)].join(",\n");
  const { mergedUpToBytes: merged } = table;
  const settings = [
    ...(more.granularity === undefined ? [] : [`index_granularity = ${more.granularity}`]),
    ...(merged === undefined ? [] : [`max_bytes_to_merge_at_max_space_in_pool = ${merged}`]),
  ];
  const partition = more.partitionBy ? [`PARTITION BY ${more.partitionBy}`] : [];
  return [
    `CREATE TABLE ${name} (\n${body}\n)`,
    `ENGINE = ${engine}`,
    ...partition,
    `ORDER BY (${orderBy.join(", ")})`,
    ...(settings.length > 0 ? [`SETTINGS ${settings.join(", ")}`] : []),
  ].join("\n");
}

/** Returns the statements that create a table, its copies and its kept versions. */
export function createStatements(table: TableDefinition): string[] {
  const statements = [
    create(table, table.name, table.engine, table.orderBy, {
      granularity: table.granularity?.own,
      partitionBy: table.partitionBy,
    }),
  ];
  for (const [copy, orderBy] of Object.entries(table.copies ?? {}))
    statements.push(create(table, copy, table.engine, orderBy, { granularity: table.granularity?.copies }));
  if (table.keepVersionsHours !== undefined) {
    const kept = sentColumns(table).map(([name, column]) => columnLine(name, column));
    const body = [...kept, `  ${CONTENT} UInt64`, "  superseded_at DateTime('UTC')"].join(",\n");
    statements.push(
      `CREATE TABLE ${table.name}_versions (\n${body}\n)\nENGINE = MergeTree\nORDER BY (${table.key.join(", ")}, version)\nTTL superseded_at + INTERVAL ${table.keepVersionsHours} HOUR`,
    );
  }
  return statements;
}

/** Returns the in-memory table that holds a batch while it is compared with the stored rows. */
export function createStaging(table: TableDefinition, name: string): string {
  const lines = sentColumns(table).map(([column, { stored }]) => `${column} ${stored}`);
  if (hasVersions(table)) lines.push(`${CONTENT} UInt64`);
  return `CREATE OR REPLACE TABLE ${name} (${lines.join(", ")}) ENGINE = Memory`;
}
