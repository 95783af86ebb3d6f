import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { ALMANAC, EXCHANGE } from "../service/start-child.ts";
import { watchChild, type Watched } from "./watched-child.ts";

export const report = (text: string): unknown =>
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

export type StoreOfWorld = {
  readonly world: string;
  /** The data folder of the store. */
  readonly data: string;
  readonly env: NodeJS.ProcessEnv;
  readonly generated: Watched | undefined;
  readonly loaded: Watched;
};

/** A world of this many fills and a store of it; creates what the folder lacks. */
export async function storeOfWorld(fills: number, folder: string): Promise<StoreOfWorld> {
  const world = join(resolve(folder), `world-${fills}`);
  const data = join(resolve(folder), `store-${fills}`);
  const env = { ...process.env, ALMANAC_DATA_DIR: data, LOG_LEVEL: "error" };
  const isMade = existsSync(join(world, "manifest.json"));
  if (!isMade) report(`making a world of ${fills} fills in ${world}`);
  const generated = isMade
    ? undefined
    : await watchChild([EXCHANGE, "generate", "--fills", String(fills), "--out", world, "--seed", "7"], env);
  const loaded = await loadOnce(world, data, env);
  return { world, data, env, generated, loaded };
}

/** The same with all derived tables. */
export async function derivedStoreOfWorld(fills: number, folder: string) {
  const { data: store, env } = await storeOfWorld(fills, folder);
  const derived = join(store, "bench-derived.json");
  if (!existsSync(derived)) {
    report("working everything out");
    writeFileSync(derived, JSON.stringify(await watchChild([ALMANAC, "derive", "--rebuild", "--json"], env)));
  }
  return { store, env };
}

/** The load measurements are kept next to the store, which is loaded once. */
async function loadOnce(world: string, data: string, env: NodeJS.ProcessEnv): Promise<Watched> {
  const note = join(data, "bench-loaded.json");
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8")) as Watched;
  report(`loading it into ${data}`);
  const loaded = await watchChild([ALMANAC, "load", world, "--raw", "--json"], env);
  writeFileSync(note, JSON.stringify(loaded));
  return loaded;
}

/** Reads a store that no process has open. */
export async function withStore<T>(data: string, read: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ folder: join(data, "columns") });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
