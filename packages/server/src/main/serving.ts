import type { Logger } from "pino";
import { CommandError } from "../cli/command.ts";
import type { Config } from "../config.ts";
import { createJobs } from "../control/jobs.ts";
import { openControl, type Control } from "../control/open-control.ts";
import type { RunningOwner } from "./command-engines.ts";
import { openService, type Service, type ServiceParts } from "./open-service.ts";
import { atPort } from "./reserve-port.ts";

export type Serving = {
  readonly baseUrl: string;
  readonly service: () => Service;
  /** Resolves when the service should stop: its engine ended permanently, or a restore left an incomplete store. */
  readonly ended: Promise<unknown>;
  readonly close: () => Promise<void>;
};

type Parts = ServiceParts & {
  /** Called before the service closes for a command that needs its stores alone. */
  readonly onClosing?: () => void;
};

/** Opens the service and its control socket, by which commands reach it. */
export async function openServing(config: Config, log: Logger, parts: Parts = {}): Promise<Serving> {
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  let service: Service | undefined = await openHere(config.port);

  async function openHere(port: number): Promise<Service> {
    const opened = await openService(atPort(config, port), log, parts);
    void opened.engineEnded.then(() => end(new Error(ENGINE_GONE)));
    return opened;
  }
  const current = (): Service => {
    if (service === undefined) throw new CommandError(1, CLOSED);
    return service;
  };
  /** One command at a time has exclusive access to the stores; requests are refused meanwhile. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const open = current();
    if (owner.jobs.list().filter(({ exit }) => exit === undefined).length > 1)
      throw new CommandError(1, "other jobs run in the service: wait for them, or stop them (almanac job list, stop)");
    service = undefined;
    parts.onClosing?.();
    log.warn("the service is closed while a command has exclusive use of the stores");
    try {
      await open.close();
      return await work();
    } finally {
      service = await openHere(portOf(open.baseUrl)).catch((error: unknown) => {
        end(error);
        throw error;
      });
      log.info({ base_url: service.baseUrl }, "listening");
    }
  };
  const owner: RunningOwner = {
    config,
    jobs: createJobs(Date.now),
    alone,
    get records() {
      return current().engines.records;
    },
    get engines() {
      return current().engines;
    },
    get ingest() {
      return current().ingest;
    },
  };
  const { baseUrl } = service;
  const control = await controlOf(owner).catch(async (error: unknown) => {
    await service?.close();
    throw error;
  });
  if (control === undefined) log.warn({ data_dir: config.dataDir }, "another process has this folder's control socket");
  return {
    baseUrl,
    service: current,
    ended,
    close: async () => {
      await control?.close();
      await service?.close();
    },
  };
}

async function controlOf(owner: RunningOwner): Promise<Control | undefined> {
  const { root } = await import("./command-tree.ts");
  return await openControl(owner, root);
}

const CLOSED = "the service is closed while a command has exclusive use of the stores: try again when it has ended";
const ENGINE_GONE = "the column engine ended and could not be restarted; its log is in the data folder";

/** The port of an http address, which omits port 80. */
export const portOf = (address: string): number => Number(new URL(address).port || 80);
