import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition, InsertRow } from "../definition/table.ts";
import { CONTENT, hasVersions } from "./ddl.ts";
import { keptColumns, notOutdone } from "./provisional-rows.ts";
import type { InsertMode } from "./store.ts";

type Batch = {
  readonly staged: string;
  readonly into: string;
  readonly mode: InsertMode | undefined;
  readonly hasProvisional: boolean;
  /** Real rows among them replace stored stand-in rows. */
  readonly hasOutdated: boolean;
};

/** Rows that are stored as they are made are compared with nothing. */
export const modeOf = ({ storedAsMade }: TableDefinition, mode?: InsertMode): InsertMode | undefined =>
  storedAsMade === true ? "absent" : mode;

/** Inserts the staged rows that are new, each key once: of rows that may change the last one, if it is new. */
export function keepFresh(table: TableDefinition, { staged, into, mode, hasProvisional, hasOutdated }: Batch): Sql {
  const { name, key, keyRange, orderBy } = table;
  const isUpsert = hasVersions(table) && mode === undefined;
  const identity = [...key, ...(isUpsert ? [CONTENT] : [])].join(", ");
  const final = hasVersions(table) ? " FINAL" : "";
  const lead = orderBy[0] === keyRange ? "" : `${orderBy[0]} IN (SELECT ${orderBy[0]} FROM ${staged}) AND `;
  const once = `LIMIT 1 BY ${key.join(", ")}`;
  const rows = isUpsert ? `(SELECT * FROM ${staged} ORDER BY rowNumberInAllBlocks() DESC ${once})` : staged;
  const columns = table.provisional === undefined ? "*" : keptColumns(table, staged, hasOutdated);
  return fromDefinition(
    `INSERT INTO ${into} SELECT ${columns} FROM ${rows} WHERE (${identity}) NOT IN (` +
      `SELECT ${identity} FROM ${name}${final} WHERE ${rangeOf(table, staged)}${lead}(${key.join(", ")}) IN (SELECT ${key.join(", ")} FROM ${staged})` +
      `)${hasProvisional ? notOutdone(table, staged) : ""}${isUpsert ? "" : ` ${once}`}`,
  );
}

/** Restricts the table to the time range of the staged rows; empty, or ends in AND. */
function rangeOf({ keyRange }: TableDefinition, staged: string): string {
  if (keyRange === undefined) return "";
  return `${keyRange} >= (SELECT min(${keyRange}) FROM ${staged}) AND ${keyRange} <= (SELECT max(${keyRange}) FROM ${staged}) AND `;
}

/** The columns that make a row unique, as one text. */
export const rowKey = ({ key }: TableDefinition, row: InsertRow): string =>
  JSON.stringify(key.map((column) => row[column]));
