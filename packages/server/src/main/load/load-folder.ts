import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Derivation, sourcesOf } from "../../definition/derivation.ts";
import { fromDefinition } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { rebuildSlices, runWhole } from "../../ingest/rebuild.ts";
import type { Store } from "../../store/store.ts";

export type LoadProgress = {
  readonly file: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly rows: number;
};
export type LoadedTable = { readonly table: string; readonly stored: number; readonly known: number };

/**
 * Loads a folder of Parquet files (see the paper exchanges' generate command) and works out what is derived from them.
 * A file's name says its table: `<table>.parquet`, or any of the folder `<table>`; it has the table's columns. Rows that
 * are stored already are left out, so a load that was cut off is simply run again.
 */
export async function loadFolder(
  store: Store,
  folder: string,
  { tables, derivations }: { readonly tables: readonly TableDefinition[]; readonly derivations: readonly Derivation[] },
  onProgress: (progress: LoadProgress) => void,
  version: () => string,
): Promise<readonly LoadedTable[]> {
  const work = tables.flatMap((table) =>
    globSync([`${table.name}.parquet`, `${table.name}/*.parquet`], { cwd: folder })
      .sort()
      .map((file) => ({ table, path: join(folder, file) })),
  );
  if (work.length === 0) throw new Error(`${folder} holds no Parquet file that is named for a table`);
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
  for (const derivation of inOrder(derivations, new Set(loaded.keys()))) {
    await deriveByMonth(store, derivation, version);
  }
  for (const { table } of work) await mergeParts(store, table, merged);
  return [...loaded.values()];
}

/** A bulk load leaves many parts behind; merged ones answer at their best. */
async function mergeParts(store: Store, table: TableDefinition, merged: Set<string>): Promise<void> {
  for (const name of [table.name, ...Object.keys(table.copies ?? {})]) {
    if (merged.has(name)) continue;
    merged.add(name);
    await store.alter(fromDefinition(`OPTIMIZE TABLE ${name} FINAL`));
  }
}

/** Those that have something to be worked out from, whatever makes a source of another before it. */
function inOrder(derivations: readonly Derivation[], filled: Set<string>): readonly Derivation[] {
  const ready = (one: Derivation): boolean =>
    sourcesOf(one).some(({ name }) => filled.has(name)) &&
    !waiting.some(({ into }) => sourcesOf(one).some(({ name }) => name === into.name));
  let waiting = derivations;
  const ordered: Derivation[] = [];
  for (let next = waiting.filter(ready); next.length > 0; next = waiting.filter(ready)) {
    ordered.push(...next);
    for (const { into } of next) filled.add(into.name);
    waiting = waiting.filter((one) => !next.includes(one));
  }
  return ordered;
}

/** By month, or slice by slice where the derivation tells slices. */
async function deriveByMonth(store: Store, derivation: Derivation, version: () => string): Promise<void> {
  if (derivation.slices) return rebuildSlices(derivation, { store, version });
  const moments = sourcesOf(derivation)
    .map(({ name }) => `SELECT DISTINCT toStartOfMonth(${derivation.moment}) AS month FROM ${name}`)
    .join(" UNION DISTINCT ");
  const months = await store.rows<{ month: string; next: string }>(
    fromDefinition(
      `SELECT toString(month) AS month, toString(month + INTERVAL 1 MONTH) AS next FROM (${moments}) ORDER BY month`,
    ),
    { settings: { max_execution_time: 600, max_threads: 2 } },
  );
  for (const { month, next } of months) {
    const range = { from: `${month} 00:00:00`, to: `${next} 00:00:00`, starts: undefined };
    await runWhole(derivation, store, { ...range, version: version() });
  }
}
