import { SingleBar } from "cli-progress";
import { derivations, tables } from "../catalogue.ts";
import { command } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { textTable } from "../cli/text-table.ts";
import { commandConfig, commandEngines, commandLog, placeOf, withStoresAlone } from "./command-engines.ts";
import { asLeader } from "./as-leader.ts";
import { systemClock } from "../ingest/clock.ts";
import { loadFolder } from "./load/load-folder.ts";

export const loadCommand = command({
  name: "load",
  description: "Load a generated world (Parquet) into the store",
  args: {
    dir: {
      type: "positional",
      description: "Folder of Parquet files named after tables, as `npm run exchange -- generate` writes it",
      required: true,
    },
    raw: { type: "boolean", description: "Only store the files' rows; `almanac derive` computes the rest" },
  },
  run: async (args, print) => {
    const folder = placeOf(String(args["dir"]));
    const config = commandConfig();
    const log = commandLog(config);
    const bar = new SingleBar({
      format: "load [{bar}] {percentage}% | {rows} rows | {eta} s left | {file}",
      stream: commandContext().err,
    });
    try {
      const started = performance.now();
      const loaded = await withStoresAlone(async () => {
        const engines = await commandEngines(config, { isWriter: true });
        try {
          return await asLeader(config, engines, { log, signal: commandContext().signal() }, ({ store, signal }) =>
            loadFolder(
              store,
              folder,
              { tables, derivations: args["raw"] === true ? [] : derivations },
              ({ file, bytesDone, bytesTotal, rows }) => {
                if (!bar.isActive) bar.start(bytesTotal, 0, { rows: 0, file: "" });
                bar.update(bytesDone, { rows, file: file.slice(folder.length + 1) });
              },
              { clock: systemClock, signal },
            ),
          );
        } finally {
          await engines.close();
        }
      });
      bar.stop();
      const seconds = (performance.now() - started) / 1000;
      const rows = loaded.map(({ table, stored, known }) => [table, String(stored), String(known)]);
      const text = `${textTable(["TABLE", "STORED", "KNOWN"], rows)}\nin ${seconds.toFixed(1)} s`;
      print({ value: { seconds, tables: loaded }, text });
    } finally {
      bar.stop();
    }
  },
});
