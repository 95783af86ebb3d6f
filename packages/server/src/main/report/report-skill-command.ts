import { command } from "../../cli/command.ts";
import type { ReadRows } from "../../definition/day-derivation.ts";
import { dayOf } from "../../definition/day-of.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { scoredDays } from "./scored-days.ts";
import { skillReport } from "./skill-report.ts";
import { skillText } from "./skill-text.ts";

export const reportSkillCommand = command({
  name: "skill",
  description: "Hold the wallet score of past days against the fourteen days after them, beside three baselines",
  run: async (_args, print) => {
    const engines = await commandEngines(commandConfig());
    try {
      const read: ReadRows = (statement) => engines.store.rows(statement);
      const scored = await scoredDays(read);
      const days = await skillReport(read, scored, dayOf(Math.floor(Date.now() / 1000)));
      print({ value: days, text: skillText(days, scored) });
    } finally {
      await engines.close();
    }
  },
});
