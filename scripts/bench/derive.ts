import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { copyWorld } from "./copy-world.ts";
import { printDerive } from "./derive-report.ts";
import { measureLive, type LiveCost } from "./live-minute.ts";
import { tableSizes, type TableSize } from "./table-sizes.ts";
import { watchChild, type Watched } from "./watched-child.ts";
import { wrongCash, type WrongCash } from "./wrong-cash.ts";

export type DeriveBench = {
  readonly fills: number;
  /** The world is stored so many times, side by side (see copyWorld). */
  readonly copies: number;
  /** The world and its store go here and stay: worlds are made once. */
  readonly folder: string;
  readonly live: readonly number[];
  /** Works only these out, one after the other, each measured apart; all in one where none is given. */
  readonly tables: readonly string[];
};

export type DeriveResult = {
  readonly at: string;
  readonly fills: number;
  readonly copies: number;
  readonly generated: Watched | undefined;
  readonly loaded: Watched | undefined;
  readonly built: readonly (readonly [table: string, Watched])[];
  readonly sizes: { readonly before: readonly TableSize[]; readonly after: readonly TableSize[] };
  readonly cash: WrongCash;
  readonly live: readonly LiveCost[];
};

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const ALMANAC = join(root, "packages/server/src/main.ts");
const EXCHANGE = join(root, "packages/exchange/src/main.ts");

const tell = (text: string): unknown => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** Full build of everything derived from the ledger on a world of so many fills, then the cost of a minute of live rows. */
export async function benchDerive({ fills, copies, folder, live, tables }: DeriveBench): Promise<void> {
  const world = join(resolve(folder), `world-${fills}`);
  const data = join(resolve(folder), `store-${fills}${copies === 1 ? "" : `x${copies}`}`);
  const env = { ...process.env, ALMANAC_DATA_DIR: data, LOG_LEVEL: "error" };
  const isMade = existsSync(join(world, "manifest.json"));
  if (!isMade) tell(`making a world of ${fills} fills in ${world}`);
  const generated = isMade
    ? undefined
    : await watchChild([EXCHANGE, "generate", "--fills", String(fills), "--out", world, "--seed", "7"], env);
  const isLoaded = existsSync(join(data, "bench-loaded.json"));
  if (!isLoaded) tell(`loading it into ${data}`);
  const loaded = isLoaded
    ? (JSON.parse(readFileSync(join(data, "bench-loaded.json"), "utf8")) as Watched)
    : await watchChild([ALMANAC, "load", world, "--raw", "--json"], env);
  writeFileSync(join(data, "bench-loaded.json"), JSON.stringify(loaded));
  const isCopied = existsSync(join(data, "bench-copied.json"));
  if (copies > 1 && !isCopied) {
    const began = performance.now();
    await withStore(data, (store) => copyWorld(store, copies, tell));
    const seconds = (performance.now() - began) / 1000;
    writeFileSync(join(data, "bench-copied.json"), JSON.stringify({ copies, seconds }));
    tell(`stored ${copies} times in ${Math.round(seconds)} s`);
  }
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
  const cash = await withStore(data, (store) => wrongCash(store, world, copies));
  const costs: LiveCost[] = [];
  for (const count of live) {
    tell(`storing ${count} fills of a live minute`);
    costs.push(await measureLive(data, count));
  }
  const result: DeriveResult = {
    at: new Date().toISOString(),
    fills,
    copies,
    generated,
    loaded,
    built,
    sizes: { before, after },
    cash,
    live: costs,
  };
  writeFileSync(join(data, "bench-derive.json"), JSON.stringify(result, null, 1));
  process.stdout.write(printDerive(result));
}

async function withStore<T>(
  data: string,
  read: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
): Promise<T> {
  const store = await openStore({ folder: join(data, "columns") });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
