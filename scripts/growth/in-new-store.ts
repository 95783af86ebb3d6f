import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { tables } from "../../packages/server/src/catalogue.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";

export type NewStore = {
  /** What its `columns` held before goes. */
  readonly folder: string;
  readonly migrations: string;
};

/** Works on an empty store with every table, and closes it. */
export async function inNewStore<T>(
  { folder, migrations }: NewStore,
  work: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const columns = join(resolve(folder), "columns");
  rmSync(columns, { recursive: true, force: true });
  mkdirSync(resolve(folder), { recursive: true });
  const store = await openStore({ folder: columns });
  try {
    await migrate(store, migrations, tables);
    return await work(store);
  } finally {
    await store.close();
  }
}
