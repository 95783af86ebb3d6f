import { defineCommand } from "citty";
import { commands } from "./cli/commands.ts";
import { runCommandLine } from "./cli/run-command-line.ts";

/** A command loads what it needs when it is called: what all of them need takes longer to read than most take to run. */
const root = defineCommand({
  meta: { name: "almanac", description: "Every prediction market behind one endpoint" },
  subCommands: {
    serve: () => import("./main/serve-command.ts").then(({ serveCommand }) => serveCommand),
    ...commands,
    status: () => import("./main/status-command.ts").then(({ statusCommand }) => statusCommand),
    backfill: () => import("./main/backfill-command.ts").then(({ backfillCommand }) => backfillCommand),
    "backfill-plan": () =>
      import("./main/backfill-plan-command.ts").then(({ backfillPlanCommand }) => backfillPlanCommand),
    replay: () => import("./main/replay-command.ts").then(({ replayCommand }) => replayCommand),
    derive: () => import("./main/derive-command.ts").then(({ deriveCommand }) => deriveCommand),
    report: () => import("./main/report-command.ts").then(({ reportCommand }) => reportCommand),
    social: () => import("./main/social-command.ts").then(({ socialCommand }) => socialCommand),
    load: () => import("./main/load-command.ts").then(({ loadCommand }) => loadCommand),
    migrate: () => import("./main/migrate-command.ts").then(({ migrateCommand }) => migrateCommand),
    backup: () => import("./main/backup-command.ts").then(({ backupCommand }) => backupCommand),
    restore: () => import("./main/restore-command.ts").then(({ restoreCommand }) => restoreCommand),
    doctor: () => import("./main/doctor-command.ts").then(({ doctorCommand }) => doctorCommand),
  },
});

process.exitCode = await runCommandLine(root, process.argv.slice(2));
