import { type Kysely, sql } from "kysely";
import type { RecordsSchema } from "../schema.ts";

type Db = Kysely<RecordsSchema>;

/** Tables about running processes or this installation only, and those `migrate` owns. */
const STAYS = new Set(["migrations", "live_status", "leases", "row_stores", "stored_head", "stored_log"]);

/** A table of the records that is copied, and whether its rows reference other rows of it. */
export type MovedTable = { readonly name: string; readonly pointsAtItself: boolean };

/** The tables of the records that are copied and backed up, each after the tables it references. */
export async function findMovedTables(db: Db): Promise<readonly MovedTable[]> {
  const tables = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname`.execute(db);
  const keys = await sql<{ from_table: string; to_table: string }>`
    select f.relname::text as from_table, t.relname::text as to_table from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = current_schema()::regnamespace`.execute(db);
  const names = tables.rows.map(({ name }) => name).filter((name) => !STAYS.has(name));
  return inOrder(
    names,
    keys.rows.map((key) => [key.from_table, key.to_table]),
  );
}

function inOrder(names: readonly string[], keys: readonly (readonly [string, string])[]): MovedTable[] {
  const placed: MovedTable[] = [];
  let left = [...names];
  while (left.length > 0) {
    const free = left.filter((name) => keys.every(([from, to]) => from !== name || to === name || !left.includes(to)));
    if (free.length === 0) throw new Error(`tables of the records point at each other: ${left.join(", ")}`);
    placed.push(
      ...free.map((name) => ({ name, pointsAtItself: keys.some((key) => key.every((one) => one === name)) })),
    );
    left = left.filter((name) => !free.includes(name));
  }
  return placed;
}
