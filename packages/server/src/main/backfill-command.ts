import { SingleBar } from "cli-progress";
import { Registry } from "prom-client";
import { connectors, derivations, folds } from "../catalogue.ts";
import { command, CommandError } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { readRange } from "../cli/read-options.ts";
import type { BackfillProgress } from "../ingest/backfill.ts";
import { backfillStream } from "../ingest/backfill-stream.ts";
import { systemClock } from "../ingest/clock.ts";
import { commandConfig, commandEngines, commandLog, runningOwner } from "./command-engines.ts";
import { asLeader } from "./as-leader.ts";
import { findPastStream } from "./find-past-stream.ts";

export const backfillCommand = command({
  name: "backfill",
  description: "Backfill a stream; the same range continues where it stopped",
  args: {
    stream: { type: "positional", description: "Name of the stream, e.g. kalshi-trades", required: true },
    from: { type: "string", description: "Start (ISO or YYYY-MM-DD)", required: true },
    to: { type: "string", description: "End, exclusive (ISO or YYYY-MM-DD); default: now" },
  },
  run: async (args, print) => {
    const connector = findPastStream(connectors, String(args["stream"]));
    const range = readRange(args["from"], args["to"]);
    const config = commandConfig();
    const engines = await commandEngines(config, { isWriter: true });
    const signal = commandContext().signal();
    const log = commandLog(config);
    const bar = new SingleBar({
      format: `${connector.name} [{bar}] {percentage}% | {rows} rows | {rate} rows/s | {position} | {left} left`,
      stream: commandContext().err,
      clearOnComplete: false,
    });
    bar.start(1000, 0, { rows: 0, rate: 0, position: "", left: "?" });
    try {
      const run = { connector, range, derivations, folds, settings: config.upstream };
      const onProgress = (progress: BackfillProgress): void =>
        bar.update(Math.round((progress.share ?? 0) * 1000), toShown(progress));
      const ingest = runningOwner()?.ingest;
      const beside = ingest?.leads() ? await ingest.backfill(connector.name, range, signal, onProgress) : undefined;
      const done =
        beside ??
        (await asLeader(config, engines, { log, signal }, (leading) =>
          backfillStream({
            ...run,
            ...leading,
            log,
            metrics: new Registry(),
            clock: systemClock,
            onProgress,
          }),
        ));
      if (done.isFinished) bar.update(1000, { rows: done.rows });
      bar.stop();
      const text = `${connector.name}: ${done.rows} rows, ${done.isFinished ? "complete" : "not finished; the same command continues"}`;
      print({ value: { stream: connector.name, ...range, ...done }, text });
      if (!done.isFinished) throw new CommandError(1, "stopped before the end; the position is saved");
    } finally {
      bar.stop();
      await engines.close();
    }
  },
});

const toShown = ({ rows, rowsPerSecond, position, etaSeconds }: BackfillProgress) => ({
  rows,
  rate: Math.round(rowsPerSecond),
  position: position ?? "",
  left: etaSeconds === undefined ? "?" : `${Math.round(etaSeconds)} s`,
});
