import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { CommandError } from "../cli/command-error.ts";
import { printResult } from "../cli/print-result.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { readConfig } from "../config.ts";
import { forgetGathered } from "../ingest/control/forget-gathered.ts";
import { requireIdle } from "./backup/open-side.ts";
import { openEngines } from "./open-engines.ts";
import { bindRows } from "./own-rows.ts";

const args: ArgsDef = {
  "as-is": { type: "boolean", description: "Its rows are those of before, moved by other means than a restore" },
  forget: { type: "boolean", description: "The rows of before are gone: forget what was gathered, keep all else" },
  json: { type: "boolean", description: "Print one line of JSON" },
};

export const adoptCommand: AnyCommand = defineCommand({
  meta: {
    name: "adopt",
    description:
      "Let the control records that the settings name go on with the column store that they name, where it is another one than before",
  },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const isForgotten = context.args["forget"] === true;
    if (isForgotten === (context.args["as-is"] === true))
      throw new CommandError(2, "expected one of --as-is and --forget");
    const engines = await openEngines(readConfig(), undefined, { isAnyStore: true });
    try {
      await requireIdle(engines);
      if (isForgotten) await forgetGathered(engines.records.db);
      await bindRows(engines);
      const text = isForgotten ? "what was gathered is forgotten; the next start gathers anew" : "taken as it is";
      printResult({ value: { forgotten: isForgotten }, text }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});
