import { tables } from "../../catalogue.ts";
import { fromDefinition } from "../../definition/sql.ts";
import type { BackupTable, Manifest } from "../../store/backup/manifest.ts";
import { asCopied, type MovedTable } from "../../store/backup/moved-table.ts";
import { migrate } from "../../store/migrate.ts";
import { BASELINE, readMigrations } from "../../store/migrations.ts";
import type { OpenStore } from "../../store/open-store.ts";
import { MIGRATIONS } from "../open-engines.ts";
import { MOVED } from "./moved.ts";

export const newestSchema = (): number => readMigrations(MIGRATIONS, tables).at(-1)?.number ?? BASELINE;

/** A backup without the tables that later migrations drop. */
export function withoutDropped(manifest: Manifest): Manifest {
  const later = readMigrations(MIGRATIONS, tables).filter(({ number }) => number > manifest.schema);
  const texts = later.flatMap(({ statements }) => statements);
  const isDropped = (name: string): boolean => texts.some((text) => text.endsWith(`DROP TABLE IF EXISTS ${name}`));
  return { ...manifest, tables: manifest.tables.filter(({ name }) => !isDropped(name)) };
}

/** The tables with the columns that a backup has of them. */
export function tablesOf({ tables: held }: Pick<Manifest, "tables">): MovedTable[] {
  return MOVED.map((table) => {
    const found = held.find(({ name }) => name === table.name);
    const isSame = found === undefined || JSON.stringify(found.columns) === JSON.stringify(table.columns);
    return isSame ? table : withColumns(table, found);
  });
}

function withColumns(table: MovedTable, { columns }: BackupTable): MovedTable {
  const isHeld = ({ name }: BackupTable["columns"][number]): boolean => columns.some((one) => one.name === name);
  const copied = table.copies.map((copy) => [copy, asCopied(table, copy).columns.filter(isHeld)] as const);
  return { ...table, columns, copiedColumns: Object.fromEntries(copied) };
}

/** Adds the columns of an older backup that later migrations drop. */
export async function addDropped(store: OpenStore, { schema, tables: held }: Manifest): Promise<void> {
  if (schema === newestSchema()) return;
  for (const { name, columns } of held) {
    const own = MOVED.find((table) => table.name === name)?.columns ?? columns;
    for (const column of columns.filter((one) => own.every((other) => other.name !== one.name)))
      await store.alter(fromDefinition(`ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${column.name} ${column.stored}`));
  }
  // On a cluster, adds them to the tables over the shards' tables.
  await migrate(store, MIGRATIONS, tables);
}
