import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { describeConfig, readConfig } from "../config.ts";
import { printResult } from "./print-result.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { requireKnownArgs } from "./strict-args.ts";
import { textTable } from "./text-table.ts";

const args: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };

/** Prints every setting, also when one is wrong; then says which, and ends with 2. */
export const configCommand: AnyCommand = defineCommand({
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
