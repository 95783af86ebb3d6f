import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";

/** A group is named by a hash of 128 bits of its columns: a deletion holds its groups as text, below 256 KiB. */
const GROUPS_A_DELETION = 5000;

/** Stored rows that now have real rows of their group beside them: how many, of which groups, when they were. */
export type Outdated = {
  readonly rows: number;
  readonly groups: readonly string[];
  /** Each moment once, as the engine writes it. */
  readonly moments: readonly string[];
  readonly since: string;
  readonly until: string;
};

type StandIns = NonNullable<TableDefinition["standIns"]>;
type Standing = { readonly standIns: StandIns; readonly rows: string; readonly keyRange: string };

/** What tells stand-ins from real rows, as SQL over a row. */
export const standInRows = ({ column, values }: StandIns): string =>
  `${column} IN (${values.map((value) => `'${value}'`).join(", ")})`;

export const isStandIn = ({ column, values }: StandIns, row: InsertRow): boolean =>
  values.includes(String(row[column]));

function standing({ name, standIns, keyRange }: TableDefinition): Standing {
  if (standIns === undefined || keyRange === undefined) throw new TypeError(`${name} has no stand-ins`);
  return { standIns, rows: standInRows(standIns), keyRange };
}

const hashOf = (group: readonly string[]): string => `hex(sipHash128(${group.join(", ")}))`;

/** Where the rows of the staged groups can lie, ending in AND: their moments differ by source. */
function rangeOf({ standIns, keyRange }: Standing, staged: string): string {
  const bound = (end: "min" | "max", sign: "-" | "+"): string =>
    `(SELECT ${end}(${keyRange}) ${sign} toIntervalSecond(${standIns.withinSeconds}) FROM ${staged})`;
  return `${keyRange} >= ${bound("min", "-")} AND ${keyRange} <= ${bound("max", "+")} AND `;
}

/** How many of what is staged are real rows, and how many stand in. */
export function countStandIns(table: TableDefinition, staged: string): Sql {
  const { rows } = standing(table);
  return fromDefinition(
    `SELECT toUInt32(countIf(NOT (${rows}))) AS real, toUInt32(countIf(${rows})) AS standing FROM ${staged}`,
  );
}

/** Of what is staged: not a stand-in whose group has real rows, stored or staged. Begins with AND. */
export function notOutdone(table: TableDefinition, staged: string): string {
  const held = standing(table);
  const { rows } = held;
  const [range, group] = [rangeOf(held, staged), held.standIns.group.join(", ")];
  const asked = `SELECT ${group} FROM ${staged} WHERE ${rows}`;
  return (
    ` AND NOT ((${rows}) AND (${group}) IN (SELECT ${group} FROM ${staged} WHERE NOT (${rows})` +
    ` UNION ALL SELECT ${group} FROM ${table.name} WHERE ${range}NOT (${rows}) AND (${group}) IN (${asked})))`
  );
}

/** All columns of what is staged; real rows keep what stand-ins were known by where their group has some stored. */
export function keptColumns(table: TableDefinition, staged: string, hasOutdated: boolean): string {
  const held = standing(table);
  const { rows } = held;
  const { kept } = held.standIns;
  const group = held.standIns.group.join(", ");
  const outdated = `(${group}) IN (SELECT ${group} FROM ${table.name} WHERE ${rangeOf(held, staged)}(${rows}) AND (${group}) IN (SELECT ${group} FROM ${staged}))`;
  return `* REPLACE (${hasOutdated ? `if(${outdated}, ${kept}, 0)` : "0"} AS ${kept})`;
}

/** Finds the stored stand-ins of the groups of which real rows are staged. */
export function findOutdated(table: TableDefinition, staged: string): Sql {
  const held = standing(table);
  const { keyRange, rows, standIns } = held;
  const columns = standIns.group.join(", ");
  return fromDefinition(
    `SELECT toUInt32(sum(n)) AS rows, groupArray(g) AS groups, groupUniqArrayArray(at) AS moments, toString(min(low)) AS since, toString(max(high)) AS until FROM (` +
      `SELECT ${hashOf(standIns.group)} AS g, count() AS n, groupUniqArray(toString(${keyRange})) AS at, min(${keyRange}) AS low, max(${keyRange}) AS high FROM ${table.name}` +
      ` WHERE ${rangeOf(held, staged)}(${rows}) AND (${columns}) IN (SELECT ${columns} FROM ${staged} WHERE NOT (${rows})) GROUP BY ${columns})`,
  );
}

/**
 * Takes them away, from the copies first: as long as the table itself has one, it is found again. The statements hold
 * their groups as text, since the engine finishes a deletion after a crash, when what was staged is gone.
 */
export function dropOutdated(table: TableDefinition, outdated: Outdated): Sql[] {
  const { keyRange, rows, standIns } = standing(table);
  const statements: Sql[] = [];
  for (const name of [...Object.keys(table.copies ?? {}), table.name]) {
    for (let first = 0; first < outdated.groups.length; first += GROUPS_A_DELETION) {
      const some = outdated.groups.slice(first, first + GROUPS_A_DELETION);
      statements.push(
        fromDefinition(
          `DELETE FROM ${name} WHERE (${rows}) AND ${keyRange} >= '${outdated.since}' AND ${keyRange} <= '${outdated.until}'` +
            ` AND ${hashOf(standIns.group)} IN (${some.map((hash) => `'${hash}'`).join(", ")})`,
        ),
      );
    }
  }
  return statements;
}

/** Rows that take the place of no stand-in. */
export const withoutKept = ({ standIns }: TableDefinition, rows: readonly InsertRow[]): readonly InsertRow[] =>
  standIns === undefined ? rows : rows.map((row) => ({ ...row, [standIns.kept]: 0 }));
