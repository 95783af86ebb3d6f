import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { CommandError } from "../../cli/command-error.ts";
import { printResult } from "../../cli/print-result.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { requireKnownArgs } from "../../cli/strict-args.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { jumpsReport } from "./jumps-report.ts";
import { jumpsText } from "./jumps-text.ts";

const args: ArgsDef = {
  days: { type: "string", description: "Days up to now, above 0 and up to 3650", default: "30" },
  json: { type: "boolean", description: "Print one line of JSON" },
};
const DAY_SECONDS = 86_400;

export const reportJumpsCommand: AnyCommand = defineCommand({
  meta: {
    name: "jumps",
    description: "Count the jumps of prices by how unlikely they are, and how many of them were given back",
  },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const days = Number(context.args["days"]);
    if (!(days > 0 && days <= 3650)) throw new CommandError(2, "--days must be a number above 0 and up to 3650");
    const engines = await commandEngines(commandConfig());
    try {
      const to = Date.now() / 1000;
      const report = await jumpsReport((statement) => engines.store.rows(statement), {
        from: to - days * DAY_SECONDS,
        to,
      });
      printResult({ value: report, text: jumpsText(report) }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});
