import { command } from "../../cli/command.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import { pnlReport } from "./pnl-report.ts";
import { pnlText } from "./pnl-text.ts";

export const reportPnlCommand = command({
  name: "pnl",
  description: "Check the cash identity of every wallet: how many balance, and which do not",
  run: async (_args, print) => {
    const engines = await commandEngines(commandConfig());
    try {
      const report = await pnlReport((statement) => engines.store.rows(statement));
      print({ value: report, text: pnlText(report) });
    } finally {
      await engines.close();
    }
  },
});
