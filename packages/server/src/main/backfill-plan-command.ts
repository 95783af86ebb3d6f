import { Registry } from "prom-client";
import { connectors } from "../catalogue.ts";
import { command } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { readRange } from "../cli/read-options.ts";
import { textTable } from "../cli/text-table.ts";
import type { PullConnector } from "../definition/connector.ts";
import { systemClock } from "../ingest/clock.ts";
import { planBackfills } from "../ingest/plan/plan-backfills.ts";
import type { BackfillPlan } from "../ingest/plan/plan-backfill.ts";
import { planStreams } from "../ingest/plan-streams.ts";
import { commandConfig, commandEngines, commandLog } from "./command-engines.ts";
import { findPastStream, pastStreams } from "./find-past-stream.ts";

export const backfillPlanCommand = command({
  name: "backfill-plan",
  description: "Estimate how long a backfill takes at the allowed rates, by walking a few slices of the range",
  args: {
    stream: {
      type: "positional",
      required: false,
      description: "Name of the stream; default: all that support backfill",
    },
    from: { type: "string", description: "Start (ISO or YYYY-MM-DD)", required: true },
    to: { type: "string", description: "End, exclusive (ISO or YYYY-MM-DD); default: now" },
  },
  run: async (args, print) => {
    const config = commandConfig();
    const name = args["stream"] === undefined ? undefined : String(args["stream"]);
    const range = readRange(args["from"], args["to"]);
    const signal = commandContext().signal();
    const engines = await commandEngines(config);
    try {
      const plans = await planBackfills({
        connectors: findStreams(name, config.upstream),
        range,
        store: engines.store,
        records: engines.records,
        settings: config.upstream,
        log: commandLog(config),
        metrics: new Registry(),
        clock: systemClock,
        signal,
        onSample: (stream, done, of) => commandContext().err.write(`${stream}: slice ${done} of ${of} sampled\n`),
      });
      print({ value: plans, text: toText(plans) });
    } finally {
      await engines.close();
    }
  },
});

/** All enabled streams, or the named one. */
function findStreams(
  name: string | undefined,
  settings: Readonly<Record<string, string | undefined>>,
): readonly PullConnector[] {
  if (name !== undefined) return [findPastStream(connectors, name)];
  const on = planStreams(connectors, settings).filter(({ state }) => state === "on");
  return pastStreams(on.map(({ connector }) => connector));
}

function toText(plans: readonly BackfillPlan[]): string {
  const rows = plans.map((plan) => [
    plan.stream,
    `${plan.is_lower_bound ? "at least" : "about"} ${toDuration(plan.seconds)}`,
    toDuration(plan.at_limits_seconds),
    toDuration(plan.at_latency_seconds),
    plan.routes.map(({ host, route, calls }) => `${calls} ${host}/${route}`).join(", "),
    String(plan.rows),
  ]);
  const table = textTable(["STREAM", "TIME", "AT THE LIMITS", "AT THE LATENCY", "CALLS", "ROWS"], rows);
  const notes = plans.flatMap((plan) => plan.notes.map((note) => `${plan.stream}: ${note}`));
  const ending =
    "Estimates from samples, with nothing else calling the hosts; live streams go first. Streams of different hosts run concurrently.";
  return [table, ...notes, ending].join("\n");
}

function toDuration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}
