import { group } from "../cli/group.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { backupListCommand, backupPruneCommand, backupVerifyCommand } from "./backup/backups-commands.ts";
import { backupCreateCommand } from "./backup/create-command.ts";

export const backupCommand: AnyCommand = group("backup", "Make, list, verify and prune backups, on disk or in S3", {
  create: backupCreateCommand,
  list: backupListCommand,
  verify: backupVerifyCommand,
  prune: backupPruneCommand,
});
