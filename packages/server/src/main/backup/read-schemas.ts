import { readFileSync } from "node:fs";
import { sql as recordsSql } from "kysely";
import { sql } from "../../definition/sql.ts";
import type { Engines } from "../open-engines.ts";

/** At which migration rows and records are. */
export type Schemas = { readonly schema: number; readonly records_schema: number };

export async function readSchemas({ store, records }: Pick<Engines, "store" | "records">): Promise<Schemas> {
  const [rows] = await store.rows<{ n: number }>(sql`SELECT max(number) AS n FROM schema_migrations`);
  const held = await recordsSql<{ n: number }>`select max(number) as n from migrations`.execute(records.db);
  return { schema: rows?.n ?? 0, records_schema: held.rows[0]?.n ?? 0 };
}

/** This program's version. */
export function readProgram(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
