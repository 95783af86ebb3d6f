import { defineCommand } from "citty";
import { createCommands } from "../cli/commands.ts";
import { jobCommand } from "../control/job-command.ts";

/** Commands load their modules when called: loading those of all takes longer than most commands run. */
export const root = defineCommand({
  meta: { name: "almanac", description: "Every prediction market behind one endpoint" },
  subCommands: {
    serve: () => import("./serve-command.ts").then(({ serveCommand }) => serveCommand),
    ...createCommands(() => import("../catalogue.ts").then(({ datasets }) => datasets)),
    job: jobCommand,
    status: () => import("./status-command.ts").then(({ statusCommand }) => statusCommand),
    backfill: () => import("./backfill-command.ts").then(({ backfillCommand }) => backfillCommand),
    "backfill-plan": () => import("./backfill-plan-command.ts").then(({ backfillPlanCommand }) => backfillPlanCommand),
    replay: () => import("./replay-command.ts").then(({ replayCommand }) => replayCommand),
    derive: () => import("./derive-command.ts").then(({ deriveCommand }) => deriveCommand),
    report: () => import("./report/report-command.ts").then(({ reportCommand }) => reportCommand),
    social: () => import("./social/forget-command.ts").then(({ socialCommand }) => socialCommand),
    load: () => import("./load-command.ts").then(({ loadCommand }) => loadCommand),
    migrate: () => import("./migrate-command.ts").then(({ migrateCommand }) => migrateCommand),
    backup: () => import("./backup/backup-commands.ts").then(({ backupCommand }) => backupCommand),
    restore: () => import("./restore-command.ts").then(({ restoreCommand }) => restoreCommand),
    doctor: () => import("./doctor-command.ts").then(({ doctorCommand }) => doctorCommand),
  },
});
