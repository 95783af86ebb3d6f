import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { CommandError } from "../../cli/command-error.ts";
import { printResult } from "../../cli/print-result.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { requireKnownArgs } from "../../cli/strict-args.ts";
import { textTable } from "../../cli/text-table.ts";
import { readConfig } from "../../config.ts";
import { openEngines } from "../open-engines.ts";
import { jumpsReport } from "./jumps-report.ts";

const args: ArgsDef = {
  days: { type: "string", description: "Days before now", default: "30" },
  json: { type: "boolean", description: "Print one line of JSON" },
};
const DAY_SECONDS = 86_400;

const share = (value: number | null): string => (value === null ? "–" : value.toFixed(3));

export const reportJumpsCommand: AnyCommand = defineCommand({
  meta: { name: "jumps", description: "Count the jumps of prices that are stored, and how many of them lasted" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const days = Number(context.args["days"]);
    if (!(days > 0 && days <= 3650)) throw new CommandError(2, "--days must be a number above 0 and up to 3650");
    const engines = await openEngines(readConfig());
    try {
      const to = Date.now() / 1000;
      const lines = await jumpsReport((statement) => engines.store.rows(statement), {
        from: to - days * DAY_SECONDS,
        to,
      });
      const head = ["RESOLUTION", "P AT MOST", "ROBUST", "REVERTED", "Q AT MOST", "AS MANY BY CANDLE: REVERTED"];
      const cells = lines.map((line) => [
        line.resolution,
        line.p_value.toExponential(0),
        String(line.robust),
        share(line.robust_reverted),
        share(line.q_value),
        share(line.candle_reverted),
      ]);
      printResult({ value: lines, text: textTable(head, cells) }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});
