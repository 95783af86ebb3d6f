import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** A group is named by a hash of 128 bits of its columns: a deletion holds its groups as text, below 256 KiB. */
const GROUPS_A_DELETION = 5000;

/** Stored rows that now have better rows of their group beside them: how many, of which groups, when they were. */
export type Outdated = {
  readonly rows: number;
  readonly groups: readonly string[];
  /** Each moment once, as the engine writes it. */
  readonly moments: readonly string[];
  readonly since: string;
  readonly until: string;
};

type Standing = Required<Pick<TableDefinition, "standIns" | "keyRange">>;

function standing({ name, standIns, keyRange }: TableDefinition): Standing {
  if (standIns === undefined || keyRange === undefined) throw new TypeError(`${name} has no stand-ins`);
  return { standIns, keyRange };
}

const hashOf = (group: readonly string[]): string => `hex(sipHash128(${group.join(", ")}))`;

/** SQL over a row: 0 for a real row, else the place of its tier from 1. */
function rankOf({ standIns }: Standing): string {
  return `multiIf(${standIns.tiers.map((tier, index) => `${tier}, ${index + 1}`).join(", ")}, 0)`;
}

/** Where the rows of the staged groups can lie, ending in AND: their moments differ by source. */
function rangeOf({ standIns, keyRange }: Standing, staged: string): string {
  const bound = (end: "min" | "max", sign: "-" | "+"): string =>
    `(SELECT ${end}(${keyRange}) ${sign} toIntervalSecond(${standIns.withinSeconds}) FROM ${staged})`;
  return `${keyRange} >= ${bound("min", "-")} AND ${keyRange} <= ${bound("max", "+")} AND `;
}

/** How many of what is staged are of which rank, real rows first. */
export function countRanks(table: TableDefinition, staged: string): Sql {
  const rank = rankOf(standing(table));
  const counts = [0, ...standing(table).standIns.tiers.map((_, index) => index + 1)];
  return fromDefinition(
    `SELECT [${counts.map((place) => `toUInt32(countIf(${rank} = ${place}))`).join(", ")}] AS counts FROM ${staged}`,
  );
}

/** Of what is staged: not a stand-in whose group has better rows, stored or staged. Begins with AND. */
export function notOutdone(table: TableDefinition, staged: string): string {
  const held = standing(table);
  const [rank, range, group] = [rankOf(held), rangeOf(held, staged), held.standIns.group.join(", ")];
  return held.standIns.tiers
    .map((_, index) => {
      const place = index + 1;
      const asked = `SELECT ${group} FROM ${staged} WHERE ${rank} = ${place}`;
      return (
        ` AND NOT (${rank} = ${place} AND (${group}) IN (SELECT ${group} FROM ${staged} WHERE ${rank} < ${place}` +
        ` UNION ALL SELECT ${group} FROM ${table.name} WHERE ${range}${rank} < ${place} AND (${group}) IN (${asked})))`
      );
    })
    .join("");
}

/** Finds what is stored of a worse rank than `place`, of the groups of which rows of that rank are staged. */
export function findOutdated(table: TableDefinition, staged: string, place: number): Sql {
  const held = standing(table);
  const { keyRange, standIns } = held;
  const [rank, columns] = [rankOf(held), standIns.group.join(", ")];
  return fromDefinition(
    `SELECT toUInt32(sum(n)) AS rows, groupArray(g) AS groups, groupUniqArrayArray(at) AS moments, toString(min(low)) AS since, toString(max(high)) AS until FROM (` +
      `SELECT ${hashOf(standIns.group)} AS g, count() AS n, groupUniqArray(toString(${keyRange})) AS at, min(${keyRange}) AS low, max(${keyRange}) AS high FROM ${table.name}` +
      ` WHERE ${rangeOf(held, staged)}${rank} > ${place} AND (${columns}) IN (SELECT ${columns} FROM ${staged} WHERE ${rank} = ${place}) GROUP BY ${columns})`,
  );
}

/**
 * Takes them away, from the copies first: as long as the table itself has one, it is found again. The statements hold
 * their groups as text, since the engine finishes a deletion after a crash, when what was staged is gone.
 */
export function dropOutdated(table: TableDefinition, outdated: Outdated, place: number): Sql[] {
  const held = standing(table);
  const { keyRange, standIns } = held;
  const statements: Sql[] = [];
  for (const name of [...Object.keys(table.copies ?? {}), table.name]) {
    for (let first = 0; first < outdated.groups.length; first += GROUPS_A_DELETION) {
      const some = outdated.groups.slice(first, first + GROUPS_A_DELETION);
      statements.push(
        fromDefinition(
          `DELETE FROM ${name} WHERE ${rankOf(held)} > ${place} AND ${keyRange} >= '${outdated.since}' AND ${keyRange} <= '${outdated.until}'` +
            ` AND ${hashOf(standIns.group)} IN (${some.map((hash) => `'${hash}'`).join(", ")})`,
        ),
      );
    }
  }
  return statements;
}
