import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { SingleBar } from "cli-progress";
import { CommandError } from "../../cli/command-error.ts";
import { ground } from "../../cli/ground.ts";
import { printResult, type Result } from "../../cli/print-result.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { requireKnownArgs } from "../../cli/strict-args.ts";
import { textTable } from "../../cli/text-table.ts";
import { listBackups } from "../../store/backup/list-backups.ts";
import { filesOf, readManifest } from "../../store/backup/manifest.ts";
import { openStorage } from "../../store/backup/open-storage.ts";
import { pruneBackups } from "../../store/backup/prune-backups.ts";
import type { BackupStorage } from "../../store/backup/storage.ts";
import { verifyBackup } from "../../store/backup/verify-backup.ts";
import { commandConfig, placeOf } from "../command-engines.ts";
import { readWhole } from "./read-whole.ts";
import { chooseBackup } from "./choose-backup.ts";

const ARGS = {
  place: { type: "positional", description: "A folder, or s3://bucket/prefix", required: true },
  json: { type: "boolean", description: "Print one line of JSON" },
} as const;
const NAME = { type: "string", description: "Which one; the newest without it" } as const;

type Verb = {
  readonly name: string;
  readonly description: string;
  readonly args?: ArgsDef;
  readonly run: (storage: BackupStorage, args: Readonly<Record<string, unknown>>) => Promise<Result>;
};

/** A command over a place of backups; no engine is needed. */
function verb({ name, description, args = {}, run }: Verb): AnyCommand {
  const all: ArgsDef = { ...ARGS, ...args };
  return defineCommand({
    meta: { name, description },
    args: all,
    run: async (context) => {
      requireKnownArgs(all, context.args);
      const storage = openStorage(placeOf(String(context.args["place"])), commandConfig().s3);
      try {
        printResult(await run(storage, context.args), context.args["json"] === true);
      } finally {
        await storage.close();
      }
    },
  });
}

export const backupListCommand = verb({
  name: "list",
  description: "The backups of a place that are whole, oldest first",
  run: async (storage) => {
    const backups = await listBackups(storage);
    const rows = backups.map(({ name, rows: count, files, bytes, own_bytes }) => [
      name,
      count,
      files,
      bytes,
      own_bytes,
    ]);
    return { value: backups, text: textTable(["BACKUP", "ROWS", "FILES", "BYTES", "OF ITS OWN"], rows) };
  },
});

export const backupVerifyCommand = verb({
  name: "verify",
  description: "Read every file of a backup and compare it with its digest; ends with 4 where one is damaged or gone",
  args: { name: NAME },
  run: async (storage, args) => {
    const manifest = await readManifest(storage, await chooseBackup(storage, args["name"]));
    const bar = new SingleBar({ format: "verify [{bar}] {value}/{total} files", stream: ground().err });
    bar.start(filesOf(manifest).length, 0);
    const troubles = await verifyBackup(storage, manifest, (done) => bar.update(done)).finally(() => bar.stop());
    if (troubles.length > 0) throw new CommandError(4, troubles.map(({ trouble }) => trouble).join("; "));
    const files = filesOf(manifest).length;
    return {
      value: { name: manifest.name, files, damaged: [] },
      text: `${manifest.name}: ${files} files, all as they were written`,
    };
  },
});

export const backupPruneCommand = verb({
  name: "prune",
  description: "Take away all backups but the newest, and files that belong to none",
  args: { keep: { type: "string", description: "How many stay", required: true } },
  run: async (storage, args) => {
    const pruned = await pruneBackups(storage, readWhole("keep", args["keep"], 10_000) ?? 1);
    const { backups, files, bytes } = pruned;
    return { value: pruned, text: `${backups.length} backups and ${files} files (${bytes} bytes) taken away` };
  },
});
