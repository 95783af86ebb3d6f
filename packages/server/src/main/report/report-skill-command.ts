import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { printResult } from "../../cli/print-result.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { requireKnownArgs } from "../../cli/strict-args.ts";
import type { ReadRows } from "../../definition/day-derivation.ts";
import { dayOf } from "../../definition/day-of.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { scoredDays } from "./scored-days.ts";
import { skillReport } from "./skill-report.ts";
import { skillText } from "./skill-text.ts";

const args: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };

export const reportSkillCommand: AnyCommand = defineCommand({
  meta: {
    name: "skill",
    description: "Hold the wallet score of past days against the fourteen days after them, beside three baselines",
  },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const engines = await commandEngines(commandConfig());
    try {
      const read: ReadRows = (statement) => engines.store.rows(statement);
      const scored = await scoredDays(read);
      const days = await skillReport(read, scored, dayOf(Math.floor(Date.now() / 1000)));
      printResult({ value: days, text: skillText(days, scored) }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});
