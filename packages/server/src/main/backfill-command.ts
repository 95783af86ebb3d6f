import { SingleBar } from "cli-progress";
import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { Registry } from "prom-client";
import { connectors } from "../catalogue/connectors.ts";
import { derivations } from "../catalogue/derivations.ts";
import { CommandError } from "../cli/command-error.ts";
import { printResult } from "../cli/print-result.ts";
import { readMoment } from "../cli/read-moment.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { readConfig } from "../config.ts";
import type { PullConnector } from "../definition/connector.ts";
import { backfillStream } from "../ingest/backfill-stream.ts";
import { systemClock } from "../ingest/clock.ts";
import { createLog } from "../log.ts";
import { openEngines } from "./open-engines.ts";

const args: ArgsDef = {
  stream: { type: "positional", description: "Name of the stream, e.g. kalshi-trades", required: true },
  from: { type: "string", description: "First moment (ISO or YYYY-MM-DD)", required: true },
  to: { type: "string", description: "End, not included (ISO or YYYY-MM-DD); now without it" },
  json: { type: "boolean", description: "Print one line of JSON" },
};

export const backfillCommand: AnyCommand = defineCommand({
  meta: { name: "backfill", description: "Gather a stream's past; the same range goes on where it was left" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const connector = findStream(String(context.args["stream"]));
    const range = readRange(context.args["from"], context.args["to"]);
    const config = readConfig();
    const engines = await openEngines(config);
    const stopped = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => stopped.abort(new Error("told to stop")));
    const bar = new SingleBar({
      format: `${connector.name} [{bar}] {percentage}% | {rows} rows | {rate} rows/s | {position} | {left} left`,
      stream: process.stderr,
      clearOnComplete: false,
    });
    bar.start(1000, 0, { rows: 0, rate: 0, position: "", left: "?" });
    try {
      const done = await backfillStream({
        connector,
        range,
        derivations,
        ...engines,
        settings: config.upstream,
        log: createLog(config.logLevel === "info" ? "warn" : config.logLevel, process.stderr),
        metrics: new Registry(),
        clock: systemClock,
        signal: stopped.signal,
        onProgress: (progress) =>
          bar.update(Math.round((progress.share ?? 0) * 1000), {
            rows: progress.rows,
            rate: Math.round(progress.rowsPerSecond),
            position: progress.position ?? "",
            left: progress.etaSeconds === undefined ? "?" : `${Math.round(progress.etaSeconds)} s`,
          }),
      });
      if (done.isFinished) bar.update(1000, { rows: done.rows });
      bar.stop();
      const text = `${connector.name}: ${done.rows} rows, ${done.isFinished ? "whole" : "not finished; the same command goes on"}`;
      printResult({ value: { stream: connector.name, ...range, ...done }, text }, context.args["json"] === true);
      if (!done.isFinished) throw new CommandError(1, "stopped before the end; the place is saved");
    } finally {
      bar.stop();
      await engines.close();
    }
  },
});

function findStream(name: string): PullConnector {
  const able = connectors.filter((one): one is PullConnector => one.kind === "pull" && one.canBackfill);
  const found = able.find((one) => one.name === name);
  if (found) return found;
  throw new CommandError(
    3,
    `no stream ${name} can gather its past; there are ${able.map((one) => one.name).join(", ")}`,
  );
}

function readRange(from: unknown, to: unknown): { from: string; to: string } {
  const range = {
    from: readMoment("from", String(from)),
    to: to === undefined ? new Date() : readMoment("to", String(to)),
  };
  if (range.from >= range.to) throw new CommandError(2, "--from must be before --to");
  return { from: range.from.toISOString(), to: range.to.toISOString() };
}
