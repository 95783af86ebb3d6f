import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const table = z.object({
  /** So many of its parts are at the target. */
  done: z.int(),
  /** The part `done` was begun: some of its rows may be at the target. */
  is_begun: z.boolean(),
  /** The target had rows of it before: those of a part that are the same stay. */
  is_filled: z.boolean(),
});
const schema = z.object({ backup: z.string(), tables: z.record(z.string(), table) });

export type TableState = z.output<typeof table>;

/** How far a restore has come. Saved, it outlives a killed process. */
export type RestoreJournal = {
  readonly tables: Record<string, TableState>;
  /** The same backup was being restored here before, and did not end well. */
  readonly isGoingOn: boolean;
  readonly save: () => void;
};

/** The journal in a file of the restore of that backup; a new one where the file is not there or of another backup. */
export function openRestoreJournal(file: string, backup: string): RestoreJournal {
  const found = existsSync(file) ? schema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data : undefined;
  const isGoingOn = found?.backup === backup;
  const tables = isGoingOn ? found.tables : {};
  return { tables, isGoingOn, save: () => write(file, { backup, tables }) };
}

/** Another name first, then the old one: a reader finds the one or the other. */
function write(file: string, value: z.output<typeof schema>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(`${file}.new`, "w", 0o600);
  writeSync(handle, JSON.stringify(value));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
}
