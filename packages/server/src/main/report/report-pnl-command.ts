import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { printResult } from "../../cli/print-result.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { requireKnownArgs } from "../../cli/strict-args.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { pnlReport } from "./pnl-report.ts";
import { pnlText } from "./pnl-text.ts";

const args: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };

export const reportPnlCommand: AnyCommand = defineCommand({
  meta: { name: "pnl", description: "Check the cash identity of every wallet: how many balance, and which do not" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const engines = await commandEngines(commandConfig());
    try {
      const report = await pnlReport((statement) => engines.store.rows(statement));
      printResult({ value: report, text: pnlText(report) }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});
