import { bind, fromDefinition, sql } from "../../definition/sql.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { shardDatabase } from "./cluster-place.ts";
import { readLines } from "../runner.ts";

type Held = { readonly name: string; readonly engine: string; readonly full: string; readonly columns: string };

/** Tables of a node's own that no other node knows. */
const OWN = /^(schema_|staged_|fresh_)/;

/**
 * Makes the `Distributed` tables over the shards' tables of a node what these are now: new ones, those with other
 * columns, and none over a table that is gone. Throws where rows are spread otherwise than the definitions say.
 */
export async function bringDistributed(
  node: ClusterNode,
  cluster: string,
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const { database } = node.address;
  const shards = shardDatabase(database);
  const run = (text: string) => node.connection.send(toNumbered(fromDefinition(text)));
  const [held, asked] = await Promise.all([tablesOf(node, shards), tablesOf(node, database)]);
  const over = new Map(asked.filter(({ engine }) => engine === "Distributed").map((table) => [table.name, table]));
  for (const { name, columns } of held) {
    if (OWN.test(name)) continue;
    const key = keys.get(name);
    if (key === undefined) throw new Error(`the table ${name} has no definition, so nothing says how it is spread`);
    const engine = `Distributed('${cluster}', '${shards}', '${name}', ${key})`;
    const found = over.get(name);
    over.delete(name);
    if (found !== undefined && !found.full.startsWith(engine))
      throw new Error(
        `rows of ${name} on ${node.name} are spread by ${found.full}, but this program spreads them by ${key}: move the store into a new cluster`,
      );
    if (found?.columns !== columns)
      await run(`CREATE OR REPLACE TABLE ${name} AS ${shards}.${name} ENGINE = ${engine}`);
  }
  for (const name of over.keys()) await run(`DROP TABLE IF EXISTS ${name}`);
}

function tablesOf(node: ClusterNode, database: string): Promise<Held[]> {
  return readLines<Held>(
    node.connection,
    sql`SELECT name, any(t.engine) AS engine, any(engine_full) AS full, toString(arraySort(groupArray((c.position, c.name, c.type, c.default_kind, c.default_expression)))) AS columns
      FROM system.tables AS t INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
      WHERE t.database = ${bind("String", database)} AND NOT t.is_temporary AND t.engine != 'Dictionary' GROUP BY t.name AS name ORDER BY name`,
  );
}
