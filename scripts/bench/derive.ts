import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { printDerive, type DeriveResult, tableSizes, wrongCash } from "./derive-report.ts";
import { ALMANAC } from "../service/start-child.ts";
import { storeOfWorld, report, withStore } from "./store-of-world.ts";
import { watchChild, type Watched } from "./watched-child.ts";

export type DeriveBench = {
  readonly fills: number;
  /** The world and its store are created and kept here: worlds are generated once. */
  readonly folder: string;
  /** Derive only these tables, one after the other, each measured separately; all in one run if empty. */
  readonly tables: readonly string[];
};

/** Full build of everything derived from the ledger, on a world of this many fills; checks its cash with the truth. */
export async function benchDerive({ fills, folder, tables }: DeriveBench): Promise<void> {
  const { world, data, env, generated, loaded } = await storeOfWorld(fills, folder);
  const before = await withStore(data, tableSizes);
  const built: [string, Watched][] = [];
  for (const table of tables.length === 0 ? ["everything"] : tables) {
    report(`working ${table} out`);
    const only = tables.length === 0 ? [] : ["--table", table];
    built.push([table, await watchChild([ALMANAC, "derive", "--rebuild", ...only, "--json"], env)]);
    // Printed now: the next step may not finish.
    report(JSON.stringify(built.at(-1)));
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
