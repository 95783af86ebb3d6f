import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { printResult } from "../../cli/print-result.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { requireKnownArgs } from "../../cli/strict-args.ts";
import { readConfig } from "../../config.ts";
import { openEngines } from "../open-engines.ts";
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
    const engines = await openEngines(readConfig());
    try {
      const days = await skillReport((statement) => engines.store.rows(statement));
      printResult({ value: days, text: skillText(days) }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});
