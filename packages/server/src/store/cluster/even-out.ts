import { randomBytes } from "node:crypto";
import { fromDefinition } from "../../definition/sql.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { Differing } from "./find-differing.ts";
import { readLines } from "./look-at-node.ts";
import type { StoredTable } from "./stored-table.ts";

const ROWS_AT_ONCE = 300_000;
const BATCHES_AT_ONCE = 1_000;
/** A deletion holds its rows as text, below 256 KiB. */
const ROWS_A_DELETION = 3_000;

/** Throws where this process may not write now: rows that a new owner took away would come back, or go twice. */
export type Check = () => void;

/**
 * Gives each replica what another has of these inserts and it lacks. Nothing that was stored is taken away but a row
 * that came twice: where an insert was cut off, another one may have brought its rows again meanwhile.
 */
export async function evenOut(
  table: StoredTable,
  replicas: readonly ClusterNode[],
  differing: readonly Differing[],
  check?: Check,
): Promise<void> {
  for (const some of inPortions(differing)) {
    const within = `${table.batch} IN (${some.map(({ batch }) => asBatch(table, batch)).join(", ")})`;
    for (const from of replicas)
      for (const to of replicas) if (from !== to) await copyMissing(table, { from, to, within, check });
    if (table.hasVersions) continue;
    for (const node of replicas) await dropTwice(table, node, within, check);
    for (const node of replicas) if (await dropDoubled(table, node, within, check)) break;
  }
}

type Missing = {
  readonly from: ClusterNode;
  readonly to: ClusterNode;
  readonly within: string;
  readonly check: Check | undefined;
};

async function copyMissing(table: StoredTable, { from, to, within, check }: Missing): Promise<void> {
  const { name, identity, batch, columns } = table;
  const names = columns.map(([column]) => column).join(", ");
  const { bytes } = await from.connection.send(
    toNumbered(fromDefinition(`SELECT ${names} FROM ${name} WHERE ${within} FORMAT Native`)),
  );
  if (bytes.length === 0) return;
  const held = `mend_${randomBytes(6).toString("hex")}`;
  const run = (text: string, more: { readonly data?: Buffer; readonly check?: Check | undefined } = {}) =>
    to.connection.send(toNumbered(fromDefinition(text)), more);
  await run(
    `CREATE TABLE ${held} (${columns.map(([column, type]) => `${column} ${type}`).join(", ")}) ENGINE = Memory`,
  );
  try {
    await run(`INSERT INTO ${held} (${names}) FORMAT Native`, { data: bytes });
    await run(
      `INSERT INTO ${name} (${names}) SELECT ${names} FROM ${held} WHERE (${identity}, ${batch}) NOT IN (SELECT ${identity}, ${batch} FROM ${name} WHERE ${within}) LIMIT 1 BY ${identity}, ${batch}`,
      { check },
    );
  } finally {
    await run(`DROP TABLE IF EXISTS ${held}`);
  }
}

/** Keeps the newest of rows that say the same in all but when they were stored. */
async function dropTwice(table: StoredTable, node: ClusterNode, within: string, check?: Check): Promise<void> {
  const { name, key, batch } = table;
  await dropRows(
    table,
    node,
    `SELECT said, toString(moment) AS at FROM (SELECT ${saidOf(table)} AS said, ${batch} AS moment, max(${batch}) OVER (PARTITION BY said) AS newest FROM ${name}` +
      ` WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${within})) WHERE moment < newest`,
    check,
  );
}

/** Takes away rows that one insert left twice, of one replica at a time: the next pass brings each from another one. */
function dropDoubled(table: StoredTable, node: ClusterNode, within: string, check?: Check): Promise<boolean> {
  const { name, identity, batch } = table;
  return dropRows(
    table,
    node,
    `SELECT ${saidOf(table)} AS said, toString(${batch}) AS at FROM ${name} WHERE ${within} AND (${identity}, ${batch}) IN` +
      ` (SELECT ${identity}, ${batch} FROM ${name} WHERE ${within} GROUP BY ${identity}, ${batch} HAVING count() > 1)`,
    check,
  );
}

/** A row by all that it says but when it was stored. */
function saidOf({ batch, columns }: StoredTable): string {
  const said = columns
    .filter(([column]) => column !== batch)
    .map(([column, type]) => (type.includes("Nullable") ? `toString(tuple(${column}))` : column));
  return `hex(sipHash128(${said.join(", ")}))`;
}

/** Whether there were any. */
async function dropRows(table: StoredTable, node: ClusterNode, found: string, check?: Check): Promise<boolean> {
  const rows = await readLines<{ said: string; at: string }>(node.connection, fromDefinition(found));
  for (let first = 0; first < rows.length; first += ROWS_A_DELETION) {
    const some = rows.slice(first, first + ROWS_A_DELETION).map(({ said, at }) => `('${said}', '${at}')`);
    await node.connection.send(
      toNumbered(
        fromDefinition(
          `DELETE FROM ${table.name} WHERE (${saidOf(table)}, toString(${table.batch})) IN (${some.join(", ")})`,
        ),
      ),
      { check },
    );
  }
  return rows.length > 0;
}

function asBatch({ batchType, hasVersions }: StoredTable, text: string): string {
  return hasVersions
    ? String(BigInt(text))
    : `CAST('${text.replaceAll(/[^0-9 .:-]/g, "")}', '${batchType.replaceAll("'", "\\'")}')`;
}

function inPortions(differing: readonly Differing[]): Differing[][] {
  const portions: Differing[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const one of differing) {
    const last = portions.at(-1);
    if (last === undefined || rows + one.rows > ROWS_AT_ONCE || last.length === BATCHES_AT_ONCE) {
      portions.push([one]);
      rows = one.rows;
    } else {
      last.push(one);
      rows += one.rows;
    }
  }
  return portions;
}
