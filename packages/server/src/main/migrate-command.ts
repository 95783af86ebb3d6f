import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { printResult } from "../cli/print-result.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { commandConfig, commandEngines } from "./command-engines.ts";

const args: ArgsDef = {
  json: { type: "boolean", description: "Print one line of JSON" },
};

export const migrateCommand: AnyCommand = defineCommand({
  meta: { name: "migrate", description: "Bring the store and the control records to this program's schema" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const engines = await commandEngines(commandConfig());
    await engines.close();
    const applied = engines.migrated;
    const text = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
    printResult({ value: { applied }, text }, context.args["json"] === true);
  },
});
