import { group } from "../cli/group.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { reportJumpsCommand } from "./report/report-jumps-command.ts";
import { reportPnlCommand } from "./report/report-pnl-command.ts";
import { reportSkillCommand } from "./report/report-skill-command.ts";

/** What our figures are worth, measured on what is stored. */
export const reportCommand: AnyCommand = group("report", "Measure what derived figures are worth", {
  jumps: reportJumpsCommand,
  pnl: reportPnlCommand,
  skill: reportSkillCommand,
});
