import { defineCommand } from "citty";
import { commands } from "../../src/cli/commands.ts";
import type { AnyCommand } from "../../src/cli/run-command-line.ts";

/** The command line as main assembles it, with only the commands over the control records. */
export const testRoot: AnyCommand = defineCommand({
  meta: { name: "almanac", description: "The operator's command line" },
  subCommands: commands,
});
