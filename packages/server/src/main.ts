import { defineCommand } from "citty";
import { commands } from "./cli/commands.ts";
import { runCommandLine } from "./cli/run-command-line.ts";
import { backfillCommand } from "./main/backfill-command.ts";
import { backfillPlanCommand } from "./main/backfill-plan-command.ts";
import { backupCommand } from "./main/backup-command.ts";
import { copyCommand } from "./main/copy-command.ts";
import { deriveCommand } from "./main/derive-command.ts";
import { doctorCommand } from "./main/doctor-command.ts";
import { loadCommand } from "./main/load-command.ts";
import { migrateCommand } from "./main/migrate-command.ts";
import { replayCommand } from "./main/replay-command.ts";
import { reportCommand } from "./main/report-command.ts";
import { restoreCommand } from "./main/restore-command.ts";
import { serveCommand } from "./main/serve-command.ts";
import { socialCommand } from "./main/social-command.ts";
import { statusCommand } from "./main/status-command.ts";

const root = defineCommand({
  meta: { name: "almanac", description: "Every prediction market behind one endpoint" },
  subCommands: {
    serve: serveCommand,
    ...commands,
    status: statusCommand,
    backfill: backfillCommand,
    "backfill-plan": backfillPlanCommand,
    replay: replayCommand,
    derive: deriveCommand,
    report: reportCommand,
    social: socialCommand,
    load: loadCommand,
    migrate: migrateCommand,
    copy: copyCommand,
    backup: backupCommand,
    restore: restoreCommand,
    doctor: doctorCommand,
  },
});

process.exitCode = await runCommandLine(root, process.argv.slice(2));
