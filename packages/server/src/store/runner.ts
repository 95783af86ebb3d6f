import { sql, type Sql } from "../definition/sql.ts";
import type { Connection } from "./connection.ts";
import { toNumbered } from "./statement.ts";
import type { Store } from "./store.ts";

/** Executes our statements: a store, or one of its engines. */
export type Runner = Pick<Store, "run" | "rows">;

/** A single engine, whatever others there are. */
export function runnerOf(connection: Connection): Runner {
  return {
    run: async (statement) => {
      await connection.send(toNumbered(statement));
    },
    rows: <T extends Record<string, unknown>>(statement: Sql) => readLines<T>(connection, statement),
  };
}

/** Rows as objects; 64-bit integers come as text. */
export async function readLines<T>(connection: Connection, statement: Sql, signal?: AbortSignal): Promise<T[]> {
  const { bytes } = await connection.send(toNumbered(sql`${statement} FORMAT JSONEachRow`), signal ? { signal } : {});
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
