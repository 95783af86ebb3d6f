import { Registry } from "prom-client";
import { connectors, derivations, folds } from "../catalogue.ts";
import { command, CommandError } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { textTable } from "../cli/text-table.ts";
import { systemClock } from "../ingest/clock.ts";
import { createDeriver } from "../ingest/derive.ts";
import { createIngestMetrics } from "../ingest/ingest-metrics.ts";
import { replayParked, type Replayed, type ReplayOptions } from "../ingest/replay/replay-parked.ts";
import { createWrite } from "../ingest/write.ts";
import { commandConfig, commandEngines, commandLog } from "./command-engines.ts";
import { asLeader, type Leading } from "./as-leader.ts";

/** Outcomes that need no action from an operator. */
const DONE = new Set<Replayed["outcome"]>(["stored", "passed", "walk"]);

export const replayCommand = command({
  name: "replay",
  description: "Read parked pages again and store what can be read now",
  args: {
    stream: { type: "string", description: "Only pages of this stream, e.g. kalshi-trades" },
    id: { type: "string", description: "Only the page with this number" },
    "dry-run": { type: "boolean", description: "Report the outcome without changing anything" },
  },
  run: async (args, print) => {
    const [stream, id] = [readStream(args["stream"]), readId(args["id"])];
    const isDry = args["dry-run"] === true;
    const config = commandConfig();
    const engines = await commandEngines(config, { isWriter: !isDry });
    const signal = commandContext().signal();
    try {
      const log = commandLog(config);
      const pages: Replayed[] = [];
      const read = async (options: ReplayOptions): Promise<void> => {
        for await (const page of replayParked({ ...options, stream, id, isDry })) pages.push(page);
      };
      if (isDry) await read(toOptions({ ...engines, signal }, log));
      else await asLeader(config, engines, { log, signal }, (leading) => read(toOptions(leading, log)));
      if (id !== undefined && pages.length === 0) throw new CommandError(3, `no page ${id} is parked`);
      print({ value: { is_dry_run: isDry, pages }, text: textOf(pages, isDry) });
      const left = pages.filter(({ outcome }) => !DONE.has(outcome)).length;
      if (left > 0) throw new CommandError(1, `${left} of ${pages.length} pages stay parked`);
    } finally {
      await engines.close();
    }
  },
});

function toOptions(
  { store, records: { db }, sure, signal, ...leading }: Leading,
  log: ReplayOptions["log"],
): ReplayOptions {
  const metrics = createIngestMetrics(new Registry());
  const own = { store, db, derivations, folds, handsFoldsOver: true, metrics, clock: systemClock, log };
  const deriver = leading.deriver ?? createDeriver(own);
  const write = createWrite({ store, deriver, metrics, sure, announceKnown: true });
  return { connectors, db, write, flush: deriver.flush, clock: systemClock, log, metrics, signal };
}

function readStream(name: unknown): string | undefined {
  if (name === undefined) return undefined;
  const found = connectors.find((one) => one.name === name);
  if (found) return found.name;
  const names = connectors.map((one) => one.name).join(", ");
  throw new CommandError(3, `there is no stream ${String(name)}; there are ${names}`);
}

function readId(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(String(text))) return Number(text);
  throw new CommandError(2, `--id is ${String(text)}: expected a whole number`);
}

function textOf(pages: readonly Replayed[], isDry: boolean): string {
  if (pages.length === 0) return "no page is parked";
  const rows = pages.map((page) => [
    String(page.id),
    page.stream,
    isDry && page.outcome === "stored" ? "would be stored" : page.outcome,
    String(page.rows),
    page.problem ?? "",
  ]);
  return textTable(["PAGE", "STREAM", "OUTCOME", "ROWS", "REASON"], rows);
}
