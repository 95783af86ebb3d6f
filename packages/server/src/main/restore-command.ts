import { command, CommandError } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { textTable } from "../cli/text-table.ts";
import { readManifest } from "../store/backup/manifest.ts";
import { openStorage } from "../store/backup/open-storage.ts";
import { isRestored, type Verified } from "../store/backup/verify-restored.ts";
import { commandConfig, commandLog, placeOf, withStoresAlone } from "./command-engines.ts";
import { asLeader } from "./as-leader.ts";
import { chooseBackup } from "./backup/choose-backup.ts";
import { requireSchema, restoreSide } from "./backup/restore-side.ts";
import { openMoveBar } from "./backup/move-bar.ts";
import { withLockedSide } from "./backup/open-side.ts";

export const restoreCommand = command({
  name: "restore",
  description:
    "Restore a backup into the store and control records that the settings name, and compare; if interrupted, the same command continues; exits with 4 on a difference",
  args: {
    place: { type: "positional", description: "A folder, or s3://bucket/prefix, with backups", required: true },
    name: { type: "string", description: "Which backup; default: the newest" },
    overwrite: {
      type: "boolean",
      description: "Make the target equal to it: rows and records not in it are deleted",
    },
  },
  run: async (args, print) => {
    const config = commandConfig();
    const storage = openStorage(placeOf(String(args["place"])), config.s3);
    const began = performance.now();
    const log = commandLog(config);
    const bar = openMoveBar();
    try {
      const manifest = await readManifest(storage, await chooseBackup(storage, args["name"]));
      // Before the target is created or migrated: another version may have to restore it there.
      await requireSchema(manifest);
      const wishes = {
        storage,
        manifest,
        mayOverwrite: args["overwrite"] === true,
        onProgress: bar.onProgress,
        onBytes: bar.onBytes,
      };
      const { verified, records } = await withStoresAlone(() =>
        withLockedSide(config, { isAnyStore: true }, (side) =>
          asLeader(config, side, { log, signal: commandContext().signal(), isAnyStore: true }, ({ signal }) =>
            restoreSide(side, { ...wishes, signal }),
          ),
        ),
      );
      bar.stop();
      const seconds = (performance.now() - began) / 1000;
      const value = {
        name: manifest.name,
        is_same: verified.every(isRestored),
        seconds,
        bytes: bar.bytes(),
        tables: verified,
        records,
      };
      print({ value, text: `${textOf(verified)}\n${manifest.name} in ${seconds.toFixed(1)} s` });
      requireSame(verified);
    } finally {
      bar.stop();
      await storage.close();
    }
  },
});

const textOf = (verified: readonly Verified[]): string =>
  textTable(
    ["TABLE", "ROWS", "IN THE BACKUP", ""],
    verified
      .filter(({ backup, store }) => backup.rows !== "0" || store.rows !== "0")
      .map((one) => [one.table, one.store.rows, one.backup.rows, isRestored(one) ? "same" : "differs"]),
  );

function requireSame(verified: readonly Verified[]): void {
  const other = verified.filter((one) => !isRestored(one));
  if (other.length === 0) return;
  const named = other.map(({ table, parts, copies }) => `${table} (${[...parts, ...copies].join(", ")})`);
  throw new CommandError(4, `differs from the backup: ${named.join("; ")}`);
}
