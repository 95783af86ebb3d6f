import { existsSync } from "node:fs";
import { group, printResult, type Result, requireKnownArgs, command, CommandError } from "../../cli/command.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";
import { defineCommand, type ArgsDef } from "citty";
import { SingleBar } from "cli-progress";
import { commandContext } from "../../cli/command-context.ts";
import { textTable } from "../../cli/text-table.ts";
import { listBackups, pruneBackups, verifyBackup } from "../../store/backup/list-backups.ts";
import { filesOf, readManifest } from "../../store/backup/manifest.ts";
import { openStorage } from "../../store/backup/open-storage.ts";
import type { BackupStorage } from "../../store/backup/storage.ts";
import { commandConfig, placeOf } from "../command-engines.ts";
import { readWhole } from "./moved.ts";
import { chooseBackup } from "./choose-backup.ts";
import { openMoveBar } from "./move-bar.ts";
import { withLockedSide } from "./open-side.ts";
import { backUpSide, type BackedUp } from "./back-up-side.ts";

const ARGS = {
  place: { type: "positional", description: "A folder, or s3://bucket/prefix", required: true },
  json: { type: "boolean", description: "Print one line of JSON" },
} as const;
const NAME = { type: "string", description: "Which one; default: the newest" } as const;

type Verb = {
  readonly name: string;
  readonly description: string;
  readonly args?: ArgsDef;
  readonly run: (storage: BackupStorage, args: Readonly<Record<string, unknown>>) => Promise<Result>;
};

/** A command on a backup location; no engine is needed. */
function verb({ name, description, args = {}, run }: Verb): AnyCommand {
  const all: ArgsDef = { ...ARGS, ...args };
  return defineCommand({
    meta: { name, description },
    args: all,
    run: async (context) => {
      requireKnownArgs(all, context.args);
      const place = placeOf(String(context.args["place"]));
      if (!place.startsWith("s3://") && !existsSync(place)) throw new CommandError(3, `${place} does not exist`);
      const storage = openStorage(place, commandConfig().s3);
      try {
        printResult(await run(storage, context.args), context.args["json"] === true);
      } finally {
        await storage.close();
      }
    },
  });
}

const backupListCommand = verb({
  name: "list",
  description: "List the complete backups of a place, oldest first",
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

const backupVerifyCommand = verb({
  name: "verify",
  description: "Read every file of a backup and compare it with its digest; exits with 4 if one is damaged or missing",
  args: { name: NAME },
  run: async (storage, args) => {
    const manifest = await readManifest(storage, await chooseBackup(storage, args["name"]));
    const bar = new SingleBar({ format: "verify [{bar}] {value}/{total} files", stream: commandContext().err });
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

const backupPruneCommand = verb({
  name: "prune",
  description: "Delete all backups but the newest, and files that belong to none",
  args: { keep: { type: "string", description: "Number to keep", required: true } },
  run: async (storage, args) => {
    const pruned = await pruneBackups(storage, readWhole("keep", args["keep"], 10_000) ?? 1);
    const { backups, files, bytes } = pruned;
    return { value: pruned, text: `${backups.length} backups and ${files} files (${bytes} bytes) deleted` };
  },
});

const MEGABYTE = 1_000_000;

const backupCreateCommand = command({
  name: "create",
  description: "Write a backup of rows and control records while the service runs",
  args: {
    place: { type: "positional", description: "A folder, or s3://bucket/prefix", required: true },
    keep: {
      type: "string",
      description: "Number of newest backups to keep; others are deleted once this one is complete",
    },
    rate: { type: "string", description: "Maximum megabytes a second; default: as fast as one engine thread" },
  },
  run: async (args, print) => {
    const config = commandConfig();
    const keep = readWhole("keep", args["keep"], 10_000);
    const rate = readWhole("rate", args["rate"], 100_000);
    const storage = openStorage(placeOf(String(args["place"])), config.s3);
    const began = performance.now();
    const bar = openMoveBar();
    const wishes = {
      bytesPerSecond: rate === undefined ? undefined : rate * MEGABYTE,
      onProgress: bar.onProgress,
      onBytes: bar.onBytes,
    };
    try {
      const { made, pruned } = await withLockedSide(config, {}, async (side) => ({
        made: await backUpSide(side, storage, { ...wishes, signal: commandContext().signal() }),
        pruned: keep === undefined ? null : await pruneBackups(storage, keep),
      }));
      bar.stop();
      const value = { place: storage.place, ...made, pruned, seconds: (performance.now() - began) / 1000 };
      print({ value, text: textOf(value) });
    } finally {
      bar.stop();
      await storage.close();
    }
  },
});

type Shown = BackedUp & { readonly place: string; readonly seconds: number };

const textOf = ({ place, name, rows, bytes, files, new_files, new_bytes, seconds }: Shown): string =>
  `${place}: ${name}, ${rows} rows, ${files} files (${new_files} new), ${megabytes(bytes)} MB (${megabytes(new_bytes)} new) in ${seconds.toFixed(1)} s`;

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);

export const backupCommand: AnyCommand = group("backup", "Make, list, verify and prune backups, on disk or in S3", {
  create: backupCreateCommand,
  list: backupListCommand,
  verify: backupVerifyCommand,
  prune: backupPruneCommand,
});
