import { SingleBar } from "cli-progress";
import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { resolve } from "node:path";
import { derivations } from "../catalogue.ts";
import { printResult } from "../cli/print-result.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { textTable } from "../cli/text-table.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { asLeader } from "./as-leader.ts";
import { loadFolder } from "./load/load-folder.ts";
import { openEngines } from "./open-engines.ts";

const args: ArgsDef = {
  dir: { type: "positional", description: "Folder that `npm run exchange -- generate` wrote", required: true },
  raw: { type: "boolean", description: "Only store what the files hold; `almanac derive` works the rest out" },
  json: { type: "boolean", description: "Print one line of JSON" },
};

export const loadCommand: AnyCommand = defineCommand({
  meta: { name: "load", description: "Load a generated world (Parquet) into the store" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const folder = resolve(String(context.args["dir"]));
    const config = readConfig();
    const log = createLog(config.logLevel === "info" ? "warn" : config.logLevel, process.stderr);
    const engines = await openEngines(config, undefined, { isWriter: true });
    const bar = new SingleBar({
      format: "load [{bar}] {percentage}% | {rows} rows | {eta} s left | {file}",
      stream: process.stderr,
    });
    try {
      const started = performance.now();
      const loaded = await asLeader(config, engines, { log, signal: new AbortController().signal }, () =>
        loadFolder(
          engines.store,
          folder,
          context.args["raw"] === true ? [] : derivations,
          ({ file, bytesDone, bytesTotal, rows }) => {
            if (!bar.isActive) bar.start(bytesTotal, 0, { rows: 0, file: "" });
            bar.update(bytesDone, { rows, file: file.slice(folder.length + 1) });
          },
          () => String(BigInt(Date.now()) * 1000n),
        ),
      );
      bar.stop();
      const seconds = (performance.now() - started) / 1000;
      const rows = loaded.map(({ table, stored, known }) => [table, String(stored), String(known)]);
      const text = `${textTable(["TABLE", "STORED", "KNOWN"], rows)}\nin ${seconds.toFixed(1)} s`;
      printResult({ value: { seconds, tables: loaded }, text }, context.args["json"] === true);
    } finally {
      bar.stop();
      await engines.close();
    }
  },
});
