import { command, CommandError } from "../cli/command.ts";
import { textTable } from "../cli/text-table.ts";
import { commandConfig } from "./command-engines.ts";
import { checkDisk, checkEngines, checkUpstreams, type Finding } from "./doctor/checks.ts";

/** An invalid setting ends it at once with 2, as it ends the service. */
export const doctorCommand = command({
  name: "doctor",
  description: "Check settings, disk, engines, clocks and whether upstreams can be reached; exits with 1 if one fails",
  args: {
    offline: { type: "boolean", description: "Skip the upstreams" },
  },
  run: async (args, print) => {
    const config = commandConfig();
    const settings = config.warnings.map((says): Finding => ({ check: "settings", state: "warn", says }));
    const findings: readonly Finding[] = [
      ...(settings.length > 0 ? settings : [{ check: "settings", state: "ok" as const, says: "all are valid" }]),
      checkDisk(config.dataDir),
      ...(await checkEngines(config)),
      ...(args["offline"] === true ? [] : await checkUpstreams(config.upstream)),
    ];
    const rows = findings.map(({ check, state, says }) => [state, check, says]);
    print({ value: findings, text: textTable(["STATE", "CHECK", "SAYS"], rows) });
    const failed = findings.filter(({ state }) => state === "fail").map(({ check }) => check);
    if (failed.length > 0) throw new CommandError(1, `failed: ${failed.join(", ")}`);
  },
});
