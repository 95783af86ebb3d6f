import { command } from "../../cli/command.ts";
import { ground } from "../../cli/ground.ts";
import { openStorage } from "../../store/backup/open-storage.ts";
import { pruneBackups } from "../../store/backup/prune-backups.ts";
import { commandConfig, placeOf } from "../command-engines.ts";
import { openMoveBar } from "./move-bar.ts";
import { withLockedSide } from "./open-side.ts";
import { readWhole } from "./read-whole.ts";
import { backUpSide, type BackedUp } from "./back-up-side.ts";

const MEGABYTE = 1_000_000;

export const backupCreateCommand = command({
  name: "create",
  description: "Write a backup of rows and control records while the service goes on",
  args: {
    place: { type: "positional", description: "A folder, or s3://bucket/prefix", required: true },
    keep: { type: "string", description: "Take away all backups but the newest so many, once this one is whole" },
    rate: { type: "string", description: "Most megabytes a second; as fast as one thread of the engine without it" },
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
        made: await backUpSide(side, storage, { ...wishes, signal: ground().signal() }),
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
