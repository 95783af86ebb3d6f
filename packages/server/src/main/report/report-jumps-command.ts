import { command } from "../../cli/command.ts";
import { CommandError } from "../../cli/command-error.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { jumpsReport } from "./jumps-report.ts";
import { jumpsText } from "./jumps-text.ts";

const DAY_SECONDS = 86_400;

export const reportJumpsCommand = command({
  name: "jumps",
  description: "Count the jumps of prices by how unlikely they are, and how many of them were given back",
  args: {
    days: { type: "string", description: "Days up to now, above 0 and up to 3650", default: "30" },
  },
  run: async (args, print) => {
    const days = Number(args["days"]);
    if (!(days > 0 && days <= 3650)) throw new CommandError(2, "--days must be a number above 0 and up to 3650");
    const engines = await commandEngines(commandConfig());
    try {
      const to = Date.now() / 1000;
      const report = await jumpsReport((statement) => engines.store.rows(statement), {
        from: to - days * DAY_SECONDS,
        to,
      });
      print({ value: report, text: jumpsText(report) });
    } finally {
      await engines.close();
    }
  },
});
