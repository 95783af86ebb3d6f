import { defineCommand, type ArgsDef } from "citty";
import { CommandError, requireKnownArgs } from "../cli/command.ts";
import { isTimestamp, readDuration, readTimestamp } from "../cli/read-options.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { gatherHistory } from "./gather-history.ts";
import { openServing } from "./serving.ts";
import { settingWarnings } from "./setting-warnings.ts";

const STOP_MS = 25_000;

const args: ArgsDef = {
  history: {
    type: "string",
    description: "Also backfill this far back (12h, 30d) or from a time on, while serving",
  },
  json: { type: "boolean", description: "Print one line of JSON once listening; the log goes to standard error" },
};

export const serveCommand: AnyCommand = defineCommand({
  meta: { name: "serve", description: "Ingest, store and serve" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const isJson = context.args["json"] === true;
    const history = readHistory(context.args["history"]);
    const config = readConfig();
    const log = isJson ? createLog(config.logLevel, process.stderr) : createLog(config.logLevel);
    for (const warning of settingWarnings(config)) log.warn(warning);
    const past = new AbortController();
    const serving = await openServing(config, log, {
      logTo: isJson ? 2 : 1,
      onClosing: () => {
        if (history !== undefined) log.warn("the backfill stops here; almanac backfill continues it");
        past.abort(new Error("a command has exclusive use of the stores"));
      },
    });
    const { baseUrl } = serving;
    log.info({ base_url: baseUrl, data_dir: config.dataDir }, "listening");
    if (isJson) process.stdout.write(`${JSON.stringify({ base_url: baseUrl, pid: process.pid })}\n`);
    const gathering =
      history === undefined ? Promise.resolve() : gatherHistory(serving.service(), history(), log, past.signal);
    const why = await Promise.race([isStopRequested(), serving.ended]);
    log.info({ why: why instanceof Error ? why.message : why }, "stopping");
    const forced = setTimeout(() => process.exit(1), STOP_MS);
    past.abort(new Error("the service stops"));
    await gathering;
    await serving.close();
    clearTimeout(forced);
    log.info("stopped");
    if (why instanceof Error) throw new CommandError(1, why.message);
  },
});

/** Returns how far back the history is to go (ms), computed at the time of the call. */
function readHistory(text: unknown): (() => number) | undefined {
  if (typeof text !== "string") return undefined;
  const milliseconds = readDuration(text);
  if (milliseconds !== undefined) return () => milliseconds;
  if (!isTimestamp(text))
    throw new CommandError(
      2,
      `--history is ${text}: expected a duration like 12h or 30d, or a time (2027-01-31T12:00:00Z)`,
    );
  const from = readTimestamp("history", text).getTime();
  return () => Math.max(0, Date.now() - from);
}

function isStopRequested(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve(signal));
  });
}
