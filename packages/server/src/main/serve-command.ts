import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { CommandError } from "../cli/command-error.ts";
import { readDuration } from "../cli/read-duration.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { gatherHistory } from "./gather-history.ts";
import { openService } from "./open-service.ts";

const STOP_MS = 25_000;

const args: ArgsDef = {
  history: { type: "string", description: "Also gather the past so far back, e.g. 12h or 30d, while serving" },
  json: { type: "boolean", description: "Print one line of JSON once listening; the log goes to standard error" },
};

export const serveCommand: AnyCommand = defineCommand({
  meta: { name: "serve", description: "Gather, keep and answer" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const isJson = context.args["json"] === true;
    const history = readHistory(context.args["history"]);
    const config = readConfig();
    const log = isJson ? createLog(config.logLevel, process.stderr) : createLog(config.logLevel);
    for (const warning of config.warnings) log.warn(warning);
    const service = await openService(config, log);
    log.info({ base_url: service.baseUrl, data_dir: config.dataDir }, "listening");
    if (isJson) process.stdout.write(`${JSON.stringify({ base_url: service.baseUrl, pid: process.pid })}\n`);
    const past = new AbortController();
    const gathering = history === undefined ? Promise.resolve() : gatherHistory(service, history, log, past.signal);
    const why = await untilToldToStop(service.engineEnded);
    log.info({ why }, "stopping");
    const forced = setTimeout(() => process.exit(1), STOP_MS);
    past.abort(new Error("the service stops"));
    await gathering;
    await service.close();
    clearTimeout(forced);
    log.info("stopped");
    if (why === "engine")
      throw new CommandError(
        1,
        "the column engine ended and could not be started again; its log is in the data folder",
      );
  },
});

function readHistory(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  const milliseconds = readDuration(text);
  if (milliseconds === undefined)
    throw new CommandError(2, `--history is ${text}: expected a duration like 12h or 30d`);
  return milliseconds;
}

function untilToldToStop(engineEnded: Promise<void>): Promise<"signal" | "engine"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve("signal"));
    void engineEnded.then(() => resolve("engine"));
  });
}
