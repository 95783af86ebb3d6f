import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { printDerive, type DeriveResult } from "./derive-report.ts";
import { tableSizes } from "./table-sizes.ts";
import { watchChild, type Watched } from "./watched-child.ts";
import { wrongCash } from "./wrong-cash.ts";

export type DeriveBench = {
  readonly fills: number;
  /** The world and its store go here and stay: worlds are made once. */
  readonly folder: string;
  /** Works only these out, one after the other, each measured apart; all in one where none is given. */
  readonly tables: readonly string[];
};

const ALMANAC = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
const EXCHANGE = fileURLToPath(new URL("../../packages/exchange/src/main.ts", import.meta.url));

const tell = (text: string): unknown => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** Full build of everything derived from the ledger on a world of so many fills, and its cash against the world's truth. */
export async function benchDerive({ fills, folder, tables }: DeriveBench): Promise<void> {
  const world = join(resolve(folder), `world-${fills}`);
  const data = join(resolve(folder), `store-${fills}`);
  const env = { ...process.env, ALMANAC_DATA_DIR: data, LOG_LEVEL: "error" };
  const isMade = existsSync(join(world, "manifest.json"));
  if (!isMade) tell(`making a world of ${fills} fills in ${world}`);
  const generated = isMade
    ? undefined
    : await watchChild([EXCHANGE, "generate", "--fills", String(fills), "--out", world, "--seed", "7"], env);
  const loaded = await loadOnce(world, data, env);
  const before = await withStore(data, tableSizes);
  const built: [string, Watched][] = [];
  for (const table of tables.length === 0 ? ["everything"] : tables) {
    tell(`working ${table} out`);
    const only = tables.length === 0 ? [] : ["--table", table];
    built.push([table, await watchChild([ALMANAC, "derive", "--rebuild", ...only, "--json"], env)]);
    // The next step may not end.
    tell(JSON.stringify(built.at(-1)));
  }
  const after = await withStore(data, tableSizes);
  const cash = await withStore(data, (store) => wrongCash(store, join(world, "truth/wallets.parquet")));
  const result: DeriveResult = {
    at: new Date().toISOString(),
    fills,
    generated,
    loaded,
    built,
    sizes: { before, after },
    cash,
  };
  writeFileSync(join(data, "bench-derive.json"), JSON.stringify(result, null, 1));
  process.stdout.write(printDerive(result));
}

/** What loading took is kept beside the store, which is loaded once. */
async function loadOnce(world: string, data: string, env: NodeJS.ProcessEnv): Promise<Watched> {
  const note = join(data, "bench-loaded.json");
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8")) as Watched;
  tell(`loading it into ${data}`);
  const loaded = await watchChild([ALMANAC, "load", world, "--raw", "--json"], env);
  writeFileSync(note, JSON.stringify(loaded));
  return loaded;
}

async function withStore<T>(data: string, read: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ folder: join(data, "columns") });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
