import { defineCommand } from "citty";
import { createCommands } from "../../src/cli/commands.ts";
import { runCommandLine, type AnyCommand } from "../../src/cli/run-command-line.ts";
import { askOwner } from "../../src/control/ask-owner.ts";
import { jobCommand } from "../../src/control/job-command.ts";

/** The command line as main assembles it, with only the commands on the control records. */
export const testRoot: AnyCommand = defineCommand({
  meta: { name: "almanac", description: "The operator's command line" },
  subCommands: {
    ...createCommands(() => import("../../src/catalogue.ts").then(({ datasets }) => datasets)),
    job: jobCommand,
  },
});

/** Runs a command as main does: in the process that owns the data folder, if there is one. */
export const runAlmanac = async (argv: readonly string[]): Promise<number> =>
  (await askOwner(argv)) ?? (await runCommandLine(testRoot, argv));
