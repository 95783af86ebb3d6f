import { resolve } from "node:path";
import type { Logger } from "pino";
import { CommandError } from "../cli/command.ts";
import { ground, runOn } from "../cli/ground.ts";
import { readConfig, type Config } from "../config.ts";
import { createJobs, type OwnerOfJobs } from "../control/jobs.ts";
import { openControl } from "../control/open-control.ts";
import type { Ingest } from "../ingest/schedule.ts";
import { createLog } from "../log.ts";
import { openEngines, type Engines, type OpenWish } from "./open-engines.ts";

/** The process in which a command runs, where that has the stores open already: a service, or another command. */
export type RunningOwner = OwnerOfJobs & {
  readonly engines: Engines;
  /** Absent where nothing is gathered. */
  readonly ingest?: Ingest | undefined;
  /** Closes the stores, does work that opens them by itself, and opens them again; absent where that cannot be. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
};

export const runningOwner = (): RunningOwner | undefined => ground().owner as RunningOwner | undefined;

/** The settings by which a command works: those of the process that it runs in. */
export const commandConfig = (): Config => runningOwner()?.config ?? readConfig();

/** A folder that the caller named, or an address of S3 as it is. */
export const placeOf = (text: string): string => (text.startsWith("s3://") ? text : resolve(ground().cwd, text));

/** Has a command open the stores by itself with nobody else there: a service closes them meanwhile. */
export function withStoresAlone<T>(work: () => Promise<T>): Promise<T> {
  const { owner, ...bare } = ground();
  if (owner === undefined) return work();
  const { alone } = owner as RunningOwner;
  if (alone === undefined) throw new CommandError(1, "another command has the stores open: wait for it, or end it");
  return alone(() => runOn(bare, work));
}

/** What goes wrong while a command works, on its standard error. */
export function commandLog({ logLevel }: Pick<Config, "logLevel">): Logger {
  return createLog(logLevel === "info" ? "warn" : logLevel, ground().err);
}

/**
 * The stores for a command: those of the process it runs in, else opened for it. Who stores rows may take long, and is
 * then asked by other commands as a service is.
 */
export async function commandEngines(config: Config, wish: OpenWish = {}): Promise<Engines> {
  const owner = runningOwner();
  if (owner) return { ...owner.engines, migrated: [], close: () => Promise.resolve() };
  const engines = await openEngines(config, undefined, wish);
  if (wish.isWriter !== true || config.databaseUrl !== undefined) return engines;
  const { root } = await import("./command-tree.ts");
  const here = { config, records: engines.records, engines, jobs: createJobs(Date.now) };
  const control = await openControl(here, root);
  return {
    ...engines,
    close: async () => {
      await control?.close();
      await engines.close();
    },
  };
}
