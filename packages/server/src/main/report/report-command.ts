import { type ArgsDef, type ParsedArgs } from "citty";
import { command, group, type Result, CommandError } from "../../cli/command.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import type { ReadRows } from "../../definition/day-derivation.ts";
import { dayOf } from "../../definition/day-of.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { jumpsReport, jumpsText } from "./jumps-report.ts";
import { pnlReport, pnlText } from "./pnl-report.ts";
import { scoredDays, skillReport, skillText } from "./skill-report.ts";

type Report = {
  readonly name: string;
  readonly description: string;
  readonly args?: ArgsDef;
  readonly run: (read: ReadRows, args: ParsedArgs) => Promise<Result>;
};

/** A command that only reads stored rows. */
const report = ({ run, ...said }: Report): AnyCommand =>
  command({
    ...said,
    run: async (args, print) => {
      const engines = await commandEngines(commandConfig());
      try {
        print(await run((statement) => engines.store.rows(statement), args));
      } finally {
        await engines.close();
      }
    },
  });

const DAY_SECONDS = 86_400;

const jumps = report({
  name: "jumps",
  description: "Count price jumps by how unlikely they are, and how many reverted",
  args: {
    days: { type: "string", description: "Days up to now, above 0 and up to 3650", default: "30" },
  },
  run: async (read, args) => {
    const days = Number(args["days"]);
    if (!(days > 0 && days <= 3650)) throw new CommandError(2, "--days must be a number above 0 and up to 3650");
    const to = Date.now() / 1000;
    const value = await jumpsReport(read, { from: to - days * DAY_SECONDS, to });
    return { value, text: jumpsText(value) };
  },
});

const pnl = report({
  name: "pnl",
  description: "Check the cash identity of every wallet: how many balance, and which do not",
  run: async (read) => {
    const value = await pnlReport(read);
    return { value, text: pnlText(value) };
  },
});

const skill = report({
  name: "skill",
  description: "Compare the wallet score of past days with the fourteen days after them, and with three baselines",
  run: async (read) => {
    const scored = await scoredDays(read);
    const days = await skillReport(read, scored, dayOf(Math.floor(Date.now() / 1000)));
    return { value: days, text: skillText(days, scored) };
  },
});

/** Measures the quality of derived figures on stored data. */
export const reportCommand = group("report", "Measure the quality of derived figures", { jumps, pnl, skill });
