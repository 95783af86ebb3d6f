import type { Sql } from "../definition/sql.ts";
import { readLines } from "./cluster/look-at-node.ts";
import type { Connection } from "./connection.ts";
import { toNumbered } from "./statement.ts";
import type { Store } from "./store.ts";

/** What takes statements of ours: a store, or one engine of it. */
export type Runner = Pick<Store, "run" | "rows">;

/** One engine by itself, whatever others there are. */
export function runnerOf(connection: Connection): Runner {
  return {
    run: async (statement) => {
      await connection.send(toNumbered(statement));
    },
    rows: <T extends Record<string, unknown>>(statement: Sql) => readLines<T>(connection, statement),
  };
}
