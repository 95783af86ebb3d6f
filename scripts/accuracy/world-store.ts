import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { WorldSize } from "./accuracy.ts";

export type WorldStore = {
  readonly store: OpenStore;
  /** Folder with what is true: wallets, jumps and resolutions as Parquet. */
  readonly truth: string;
  readonly close: () => Promise<void>;
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A world written by the paper exchanges, loaded, with every derived table worked out, or some of them. Minutes for a
 * million fills.
 */
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
    run("packages/exchange", ["generate", "--out", world, ...options], data);
    run("packages/server", ["load", world], data);
    const tables = only?.map((table) => [`--table=${table}`]) ?? [[]];
    for (const table of tables) run("packages/server", ["derive", "--rebuild", ...table], data);
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

/** What the commands say goes to standard error: standard output is for figures. */
function run(part: string, args: readonly string[], data: string): void {
  const done = spawnSync(process.execPath, [join(ROOT, part, "src/main.ts"), ...args], {
    cwd: ROOT,
    env: { ...process.env, ALMANAC_DATA_DIR: data },
    stdio: ["ignore", 2, 2],
  });
  if (done.status !== 0) throw new Error(`${part} ${args[0]} ended with ${done.status ?? done.signal}`);
}
