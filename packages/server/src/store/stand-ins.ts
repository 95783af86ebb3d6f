import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** A group is named by a hash of 128 bits of its columns: a deletion holds its groups as text, below 256 KiB. */
const GROUPS_A_DELETION = 5000;

/** Stand-ins that are stored and now have real rows beside them: how many, of which groups, over which range. */
export type Outdated = {
  readonly rows: number;
  readonly groups: readonly string[];
  readonly since: string;
  readonly until: string;
};

const hashOf = (group: readonly string[]): string => `hex(sipHash128(${group.join(", ")}))`;

/** Of what is staged: not a stand-in whose group has real rows, stored or staged. Empty for tables without stand-ins. */
export function notOutdone({ name, standIns }: TableDefinition, staged: string, range: string): string {
  if (standIns === undefined) return "";
  const { when } = standIns;
  const group = standIns.group.join(", ");
  return (
    ` AND NOT ((${when}) AND (${group}) IN (SELECT ${group} FROM ${staged} WHERE NOT (${when})` +
    ` UNION ALL SELECT ${group} FROM ${name} WHERE ${range}NOT (${when}) AND (${group}) IN (SELECT ${group} FROM ${staged} WHERE ${when})))`
  );
}

/** Finds the stored stand-ins of the groups of which real rows are staged. */
export function findOutdated({ name, standIns, keyRange }: TableDefinition, staged: string, range: string): Sql {
  if (standIns === undefined || keyRange === undefined) throw new TypeError(`${name} has no stand-ins`);
  const { when, group } = standIns;
  const columns = group.join(", ");
  return fromDefinition(
    `SELECT toUInt32(sum(n)) AS rows, groupArray(g) AS groups, toString(min(low)) AS since, toString(max(high)) AS until FROM (` +
      `SELECT ${hashOf(group)} AS g, count() AS n, min(${keyRange}) AS low, max(${keyRange}) AS high FROM ${name}` +
      ` WHERE ${range}(${when}) AND (${columns}) IN (SELECT ${columns} FROM ${staged} WHERE NOT (${when})) GROUP BY ${columns})`,
  );
}

/**
 * Takes stand-ins away, from the copies first: as long as the table itself has one, it is found again. The statements
 * hold their groups as text, since the engine finishes a deletion after a crash, when what was staged is gone.
 */
export function dropOutdated({ name, standIns, keyRange, copies }: TableDefinition, outdated: Outdated): Sql[] {
  if (standIns === undefined || keyRange === undefined) throw new TypeError(`${name} has no stand-ins`);
  const { when, group } = standIns;
  const statements: Sql[] = [];
  for (const table of [...Object.keys(copies ?? {}), name]) {
    for (let place = 0; place < outdated.groups.length; place += GROUPS_A_DELETION) {
      const some = outdated.groups.slice(place, place + GROUPS_A_DELETION);
      statements.push(
        fromDefinition(
          `DELETE FROM ${table} WHERE (${when}) AND ${keyRange} >= '${outdated.since}' AND ${keyRange} <= '${outdated.until}'` +
            ` AND ${hashOf(group)} IN (${some.map((hash) => `'${hash}'`).join(", ")})`,
        ),
      );
    }
  }
  return statements;
}
