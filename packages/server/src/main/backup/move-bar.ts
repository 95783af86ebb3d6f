import { SingleBar } from "cli-progress";
import { commandContext } from "../../cli/command-context.ts";
import type { MoveProgress } from "../../store/backup/metered.ts";

export type MoveBar = {
  readonly onProgress: (progress: MoveProgress) => void;
  readonly onBytes: (bytes: number) => void;
  readonly bytes: () => number;
  readonly stop: () => void;
};

const WORDS: Readonly<Record<MoveProgress["phase"], string>> = {
  backup: "writes",
  restore: "restores",
  compare: "compares",
};

/** Shows on standard error the current table of a backup or restore, the amount transferred and the speed. */
export function openMoveBar(): MoveBar {
  const bar = new SingleBar({
    format: "{word} {table} [{bar}] {value}/{total} | {megabytes} MB | {rate} MB/s",
    stream: commandContext().err,
    hideCursor: false,
  });
  const began = performance.now();
  let bytes = 0;
  return {
    onProgress: ({ phase, table, done, of }) => {
      const megabytes = bytes / 1_000_000;
      const shown = {
        word: WORDS[phase],
        table,
        megabytes: megabytes.toFixed(0),
        rate: ((megabytes * 1000) / (performance.now() - began)).toFixed(1),
      };
      if (!bar.isActive) bar.start(of, done, shown);
      bar.setTotal(of);
      bar.update(done, shown);
    },
    onBytes: (more) => void (bytes += more),
    bytes: () => bytes,
    stop: () => bar.stop(),
  };
}
