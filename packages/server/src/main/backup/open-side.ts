import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../cli/command.ts";
import type { Config } from "../../config.ts";
import { hasRecords } from "../../records/backup/dump-records.ts";
import { tryLockFolder } from "../../records/folder-lock.ts";
import { openRowPipe, type RowPipe } from "../../store/backup/row-pipe.ts";
import { commandEngines } from "../command-engines.ts";
import type { Engines, OpenWish } from "../open-engines.ts";
import { hasAnyRow } from "./moved.ts";

/**
 * A store with its records and data folder, and access to stream its rows. `folder` holds the restore journal; one
 * backup or restore uses it at a time.
 */
export type Side = Engines & { readonly pipe: RowPipe; readonly dataDir: string; readonly folder: string };

/** Opens the stores that the settings name. */
export async function openSide(config: Config, wish: Pick<OpenWish, "isAnyStore"> = {}): Promise<Side> {
  const { dataDir } = config;
  const folder = join(dataDir, "moves");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const engines = await commandEngines(config, wish);
  const pipe = openRowPipe(() => engines.store.address);
  const close = async (): Promise<void> => {
    await pipe.close();
    await engines.close();
  };
  return { ...engines, pipe, dataDir, folder, close };
}

/**
 * Opens the stores that the settings name for `work` and always closes them. A lock keeps out other backups and
 * restores of this machine. Throws CommandError.
 */
export async function withLockedSide<T>(
  config: Config,
  wish: Pick<OpenWish, "isAnyStore">,
  work: (side: Side) => Promise<T>,
): Promise<T> {
  const side = await openSide(config, wish);
  try {
    const lock = lockSide(side);
    try {
      return await work(side);
    } finally {
      lock.release();
    }
  } finally {
    await side.close();
  }
}

function lockSide({ folder }: Pick<Side, "folder">): { readonly release: () => void } {
  const lock = tryLockFolder(join(folder, "lock"));
  if (lock === undefined)
    throw new CommandError(1, `another backup or restore runs in ${folder}: wait for it, or end it`);
  return lock;
}

/** Whether a store or its records contain anything. */
export async function isFilled(side: Side): Promise<boolean> {
  return (await hasRecords(side.records.db)) || (await hasAnyRow(side.store));
}
