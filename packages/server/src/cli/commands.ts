import { defineCommand, type ArgsDef } from "citty";
import { describeConfig, readConfig } from "../config.ts";
import { accountCommands } from "./account-commands.ts";
import { keyCommands } from "./key-commands.ts";
import { planCommands } from "./plan-commands.ts";
import { printResult } from "./print-result.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { requireKnownArgs } from "./strict-args.ts";
import { textTable } from "./text-table.ts";
import { userCommands } from "./user-commands.ts";

const args: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };

/** Prints every setting, also when one is wrong; then says which, and ends with 2. */
const configCommand: AnyCommand = defineCommand({
  meta: { name: "config", description: "Print every setting, its value, where it comes from and what it means" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const rows = describeConfig();
    const cells = rows.map((row) => [row.name, row.value, row.source, row.meaning]);
    const text = textTable(["SETTING", "VALUE", "SOURCE", "MEANING"], cells);
    printResult({ value: rows, text }, context.args["json"] === true);
    readConfig();
  },
});

/** The commands over the control records; main adds those that need the engines. */
export const commands: Record<"account" | "user" | "key" | "plan" | "config", AnyCommand> = {
  account: accountCommands,
  user: userCommands,
  key: keyCommands,
  plan: planCommands,
  config: configCommand,
};
