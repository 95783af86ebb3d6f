import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../cli/command.ts";
import { type Derivation, sourcesOf } from "../../definition/derivation.ts";
import { fromDefinition } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { inOrder } from "../../ingest/concurrency.ts";
import { rebuildAll } from "../../ingest/rebuild.ts";
import type { Store } from "../../store/store.ts";
import { findRange } from "../derive/derive-buckets.ts";

export type LoadProgress = {
  readonly file: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly rows: number;
};
export type LoadedTable = { readonly table: string; readonly stored: number; readonly known: number };

/**
 * Loads a folder of Parquet files (see the paper exchanges' generate command) and derives tables from them. The file
 * name gives the table: `<table>.parquet`, or any file in the folder `<table>`, with the table's columns. Rows already
 * stored are skipped, so an interrupted load is simply run again.
 */
export async function loadFolder(
  store: Store,
  folder: string,
  { tables, derivations }: { readonly tables: readonly TableDefinition[]; readonly derivations: readonly Derivation[] },
  onProgress: (progress: LoadProgress) => void,
  run: Pick<Parameters<typeof rebuildAll>[2], "clock" | "signal">,
): Promise<readonly LoadedTable[]> {
  const work = tables.flatMap((table) =>
    globSync([`${table.name}.parquet`, `${table.name}/*.parquet`], { cwd: folder })
      .sort()
      .map((file) => ({ table, path: join(folder, file) })),
  );
  if (work.length === 0) throw new CommandError(3, `${folder} has no Parquet file named after a table`);
  const bytesTotal = work.reduce((sum, { path }) => sum + statSync(path).size, 0);
  const loaded = new Map<string, LoadedTable>();
  const merged = new Set<string>();
  let bytesDone = 0;
  let rows = 0;
  for (const { table, path } of work) {
    const bytes = readFileSync(path);
    const { stored, known } = await store.load(table, bytes);
    const before = loaded.get(table.name) ?? { table: table.name, stored: 0, known: 0 };
    loaded.set(table.name, { ...before, stored: before.stored + stored, known: before.known + known });
    bytesDone += bytes.length;
    rows += stored;
    onProgress({ file: path, bytesDone, bytesTotal, rows });
  }
  const filled = new Set(loaded.keys());
  for (const derivation of inOrder(derivations, (one, { into }) => sourcesOf(one).includes(into))) {
    if (!sourcesOf(derivation).some(({ name }) => filled.has(name))) continue;
    filled.add(derivation.into.name);
    const range = await findRange(derivation, store);
    if (range) await rebuildAll(derivation, range, { store, ...run });
  }
  for (const { table } of work) await mergeParts(store, table, merged);
  return [...loaded.values()];
}

/** A bulk load leaves many parts; queries are fastest on merged ones. */
async function mergeParts(store: Store, table: TableDefinition, merged: Set<string>): Promise<void> {
  for (const name of [table.name, ...Object.keys(table.copies ?? {})]) {
    if (merged.has(name)) continue;
    merged.add(name);
    await store.alter(fromDefinition(`OPTIMIZE TABLE ${name} FINAL`));
  }
}
