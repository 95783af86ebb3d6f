import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import { watchChild } from "../bench/watched-child.ts";
import { ALMANAC, EXCHANGE } from "../service/start-child.ts";

export type WorldStore = {
  readonly store: OpenStore;
  /** Folder with the ground truth: wallets, jumps and resolutions as Parquet. */
  readonly truth: string;
  readonly close: () => Promise<void>;
};

/** A world written by the paper exchanges, loaded, with all or some derived tables. Minutes per million fills. */
export async function openWorldStore(
  { seed, fills, days, wallets, keep }: Pick<WorldSize, "seed" | "fills" | "days" | "wallets" | "keep">,
  only?: readonly string[],
): Promise<WorldStore> {
  const folder =
    keep === undefined
      ? mkdtempSync(join(tmpdir(), "almanac-accuracy-"))
      : join(keep, `world-${seed}-${fills}-${days}-${wallets}`);
  const [world, data, done] = [join(folder, "world"), join(folder, "data"), join(folder, "done")];
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    const sizes = { seed, fills, days, wallets };
    const options = Object.entries(sizes).flatMap(([option, value]) => [`--${option}`, String(value)]);
    const env = { ...process.env, ALMANAC_DATA_DIR: data };
    await watchChild([EXCHANGE, "generate", "--out", world, ...options], env);
    await watchChild([ALMANAC, "load", world], env);
    const tables = only?.map((table) => [`--table=${table}`]) ?? [[]];
    for (const table of tables) await watchChild([ALMANAC, "derive", "--rebuild", ...table], env);
    writeFileSync(done, "");
  }
  const store = await openStore({ folder: join(data, "columns") });
  return {
    store,
    truth: join(world, "truth"),
    close: async () => {
      await store.close();
      if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A world to generate; `keep` is a folder in which it is kept. */
export type WorldSize = {
  readonly seed: number;
  readonly fills: number;
  readonly days: number;
  readonly wallets: number;
  /** Standing events, and trading activity as a multiple of the usual; for worlds generated in this process. */
  readonly events: number;
  readonly activity: number;
  readonly keep: string | undefined;
};

/** Measures something on several worlds. */
export type Accuracy = (worlds: readonly WorldSize[]) => Promise<{ readonly text: string; readonly value: unknown }>;
