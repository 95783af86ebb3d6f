import { resolve } from "node:path";
import type { Logger } from "pino";
import { CommandError } from "../cli/command.ts";
import { commandContext, runInContext } from "../cli/command-context.ts";
import { readConfig, type Config } from "../config.ts";
import { createJobs, type OwnerOfJobs } from "../control/jobs.ts";
import { openControl } from "../control/open-control.ts";
import type { Ingest } from "../ingest/schedule.ts";
import { createLog } from "../log.ts";
import { openEngines, type Engines, type OpenWish } from "./open-engines.ts";

/** The process in which a command runs, if it already has the stores open: a service, or another command. */
export type RunningOwner = OwnerOfJobs & {
  readonly engines: Engines;
  /** Absent if the process does no ingest. */
  readonly ingest?: Ingest | undefined;
  /** Closes the stores, runs work that opens them itself, and reopens them; absent if that is impossible. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
};

export const runningOwner = (): RunningOwner | undefined => commandContext().owner as RunningOwner | undefined;

/** The settings for a command: those of the process it runs in. */
export const commandConfig = (): Config => runningOwner()?.config ?? readConfig();

/** Resolves a folder named by the caller; an S3 address stays unchanged. */
export const placeOf = (text: string): string =>
  text.startsWith("s3://") ? text : resolve(commandContext().cwd, text);

/** Runs work that opens the stores itself with exclusive access: a service closes them meanwhile. */
export function withStoresAlone<T>(work: () => Promise<T>): Promise<T> {
  const { owner, ...bare } = commandContext();
  if (owner === undefined) return work();
  const { alone } = owner as RunningOwner;
  if (alone === undefined) throw new CommandError(1, "another command has the stores open: wait for it, or end it");
  return alone(() => runInContext(bare, work));
}

/** Logs problems during a command to its standard error. */
export function commandLog({ logLevel }: Pick<Config, "logLevel">): Logger {
  return createLog(logLevel === "info" ? "warn" : logLevel, commandContext().err);
}

/**
 * Returns the stores for a command: those of the process it runs in, otherwise newly opened. A writing command may take
 * long, so other commands can be sent to it as to a service.
 */
export async function commandEngines(config: Config, wish: OpenWish = {}): Promise<Engines> {
  const owner = runningOwner();
  if (owner) return { ...owner.engines, migrated: [], close: () => Promise.resolve() };
  const engines = await openEngines(config, undefined, wish);
  if (wish.isWriter !== true || config.databaseUrl !== undefined) return engines;
  const { root } = await import("./command-tree.ts");
  const here = { config, records: engines.records, engines, jobs: createJobs(Date.now) };
  const control = await openControl(here, root).catch(async (error: unknown) => {
    await engines.close();
    throw error;
  });
  return {
    ...engines,
    close: async () => {
      await control?.close();
      await engines.close();
    },
  };
}
