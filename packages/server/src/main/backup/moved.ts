import { tables } from "../../catalogue.ts";
import { toMovedTables } from "../../store/backup/moved-table.ts";
import { hasRows } from "../../store/backup/restore-tables.ts";
import type { OpenStore } from "../../store/open-store.ts";
import { CommandError } from "../../cli/command.ts";
import { readFileSync } from "node:fs";
import { sql as recordsSql } from "kysely";
import { sql } from "../../definition/sql.ts";
import type { Engines } from "../open-engines.ts";

/** Every table that holds rows, as used by backup and restore. */
export const MOVED = toMovedTables(tables);

/** Whether any table of a store has rows. */
export async function hasAnyRow(store: Pick<OpenStore, "rows">): Promise<boolean> {
  for (const table of MOVED) if (await hasRows({ store }, table)) return true;
  return false;
}

/** Reads a whole-number option from 1 up; undefined if absent. Throws CommandError. */
export function readWhole(name: string, text: unknown, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(String(text)) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new CommandError(2, `--${name} is ${String(text)}: expected a whole number from 1 to ${most}`);
}

/** Migration versions of rows and records. */
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
