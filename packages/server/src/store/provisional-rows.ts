import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";

/** A group is named by a 128-bit hash of its columns: a deletion lists its groups as text, below 256 KiB. */
const GROUPS_A_DELETION = 5000;

/** Stored provisional (stand-in) rows whose group now has real rows: how many, which groups, and their times. */
export type Outdated = {
  readonly rows: number;
  readonly groups: readonly string[];
  /** Distinct times, in the engine's format. */
  readonly moments: readonly string[];
  readonly since: string;
  readonly until: string;
};

type ProvisionalRows = NonNullable<TableDefinition["provisional"]>;
type Standing = { readonly provisional: ProvisionalRows; readonly rows: string; readonly keyRange: string };

/** SQL condition that is true for stand-in rows and false for real rows. */
export const provisionalRows = ({ column, values }: ProvisionalRows): string =>
  `${column} IN (${values.map((value) => `'${value}'`).join(", ")})`;

export const isProvisional = ({ column, values }: ProvisionalRows, row: InsertRow): boolean =>
  values.includes(String(row[column]));

function standing({ name, provisional, keyRange }: TableDefinition): Standing {
  if (provisional === undefined || keyRange === undefined) throw new TypeError(`${name} has no provisional rows`);
  return { provisional, rows: provisionalRows(provisional), keyRange };
}

const hashOf = (group: readonly string[]): string => `hex(sipHash128(${group.join(", ")}))`;

/** Time range in which rows of the staged groups can be, ending in AND; their times differ by source. */
function rangeOf({ provisional, keyRange }: Standing, staged: string): string {
  const bound = (end: "min" | "max", sign: "-" | "+"): string =>
    `(SELECT ${end}(${keyRange}) ${sign} toIntervalSecond(${provisional.withinSeconds}) FROM ${staged})`;
  return `${keyRange} >= ${bound("min", "-")} AND ${keyRange} <= ${bound("max", "+")} AND `;
}

/** Counts the staged real rows and the staged stand-in rows. */
export function countProvisional(table: TableDefinition, staged: string): Sql {
  const { rows } = standing(table);
  return fromDefinition(
    `SELECT toUInt32(countIf(NOT (${rows}))) AS real, toUInt32(countIf(${rows})) AS standing FROM ${staged}`,
  );
}

/** Condition on staged rows: not a stand-in whose group has real rows, stored or staged. Begins with AND. */
export function notOutdone(table: TableDefinition, staged: string): string {
  const held = standing(table);
  const { rows } = held;
  const [range, group] = [rangeOf(held, staged), held.provisional.group.join(", ")];
  const requested = `SELECT ${group} FROM ${staged} WHERE ${rows}`;
  return (
    ` AND NOT ((${rows}) AND (${group}) IN (SELECT ${group} FROM ${staged} WHERE NOT (${rows})` +
    ` UNION ALL SELECT ${group} FROM ${table.name} WHERE ${range}NOT (${rows}) AND (${group}) IN (${requested})))`
  );
}

/**
 * All columns of the staged rows; real rows keep `kept`, by which stand-ins were known, only if their group has some.
 */
export function keptColumns(table: TableDefinition, staged: string, hasOutdated: boolean): string {
  const held = standing(table);
  const { rows } = held;
  const { kept } = held.provisional;
  const group = held.provisional.group.join(", ");
  const outdated = `(${group}) IN (SELECT ${group} FROM ${table.name} WHERE ${rangeOf(held, staged)}(${rows}) AND (${group}) IN (SELECT ${group} FROM ${staged}))`;
  return `* REPLACE (${hasOutdated ? `if(${outdated}, ${kept}, 0)` : "0"} AS ${kept})`;
}

/** Finds the stored stand-in rows of groups for which real rows are staged. */
export function findOutdated(table: TableDefinition, staged: string): Sql {
  const held = standing(table);
  const { keyRange, rows, provisional } = held;
  const columns = provisional.group.join(", ");
  return fromDefinition(
    `SELECT toUInt32(sum(n)) AS rows, groupArray(g) AS groups, groupUniqArrayArray(at) AS moments, toString(min(low)) AS since, toString(max(high)) AS until FROM (` +
      `SELECT ${hashOf(provisional.group)} AS g, count() AS n, groupUniqArray(toString(${keyRange})) AS at, min(${keyRange}) AS low, max(${keyRange}) AS high FROM ${table.name}` +
      ` WHERE ${rangeOf(held, staged)}(${rows}) AND (${columns}) IN (SELECT ${columns} FROM ${staged} WHERE NOT (${rows})) GROUP BY ${columns})`,
  );
}

/**
 * Deletes them, from the copies first: as long as the table itself has one, a retry finds it again. The statements list
 * their groups as text, since the engine finishes a deletion after a crash, when the staged rows are gone.
 */
export function dropOutdated(table: TableDefinition, outdated: Outdated): Sql[] {
  const { keyRange, rows, provisional } = standing(table);
  const statements: Sql[] = [];
  for (const name of [...Object.keys(table.copies ?? {}), table.name]) {
    for (let first = 0; first < outdated.groups.length; first += GROUPS_A_DELETION) {
      const some = outdated.groups.slice(first, first + GROUPS_A_DELETION);
      statements.push(
        fromDefinition(
          `DELETE FROM ${name} WHERE (${rows}) AND ${keyRange} >= '${outdated.since}' AND ${keyRange} <= '${outdated.until}'` +
            ` AND ${hashOf(provisional.group)} IN (${some.map((hash) => `'${hash}'`).join(", ")})`,
        ),
      );
    }
  }
  return statements;
}

/** Sets the `kept` column to 0, for rows that replace no stand-in row. */
export const withoutKept = ({ provisional }: TableDefinition, rows: readonly InsertRow[]): readonly InsertRow[] =>
  provisional === undefined ? rows : rows.map((row) => ({ ...row, [provisional.kept]: 0 }));
