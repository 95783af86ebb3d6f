import { describeConfig, readConfig } from "../config.ts";
import { accountCommands } from "./account-commands.ts";
import { command, type Catalogue } from "./command.ts";
import { keyCommands } from "./key-commands.ts";
import { planCommands } from "./plan-commands.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { textTable } from "./text-table.ts";
import { userCommands } from "./user-commands.ts";

/** Prints every setting, even if one is invalid; then reports which, and ends with 2. */
const configCommand = command({
  name: "config",
  description: "Print every setting, its value, source and meaning",
  run: async (_args, print) => {
    const rows = describeConfig();
    const cells = rows.map((row) => [row.name, row.value, row.source, row.meaning]);
    print({ value: rows, text: textTable(["SETTING", "VALUE", "SOURCE", "MEANING"], cells) });
    readConfig();
  },
});

/** The commands on control records; main adds those that need the engines. */
export const createCommands = (
  catalogue: Catalogue,
): Record<"account" | "user" | "key" | "plan" | "config", AnyCommand> => ({
  account: accountCommands,
  user: userCommands,
  key: keyCommands(catalogue),
  plan: planCommands(catalogue),
  config: configCommand,
});
