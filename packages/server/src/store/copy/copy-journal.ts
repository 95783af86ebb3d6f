import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const slice = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  share: z.object({ index: z.int(), of: z.int() }).optional(),
});

const schema = z.object({
  /** What was stored before this moment (ms since 1970) goes by the walk over everything, the rest after it. */
  cut_ms: z.number(),
  /** Up to when what was stored since is at the target too. */
  through_ms: z.number(),
  /** Digests of the target's records before and after this move put its own there: any other is of somebody else. */
  records: z.array(z.string()).optional(),
  tables: z.record(
    z.string(),
    z.object({
      slices: z.array(slice),
      done: z.int(),
      /** The slice `done` was begun: some of its rows may be at the target. */
      is_begun: z.boolean(),
    }),
  ),
});

/** How far a move has come. */
export type Progress = z.output<typeof schema>;

export type Journal = { readonly progress: Progress; readonly save: () => void };

/** The journal of a move in a file, a new one where there is none. Saved, it outlives a killed process. */
export function openJournal(file: string, nowMs: number): Journal {
  const progress = existsSync(file)
    ? schema.parse(JSON.parse(readFileSync(file, "utf8")))
    : { cut_ms: nowMs, through_ms: nowMs, tables: {} };
  return { progress, save: () => write(file, progress) };
}

/** Another name first, then the old one: a reader finds the one or the other. */
function write(file: string, progress: Progress): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(`${file}.new`, "w", 0o600);
  writeSync(handle, JSON.stringify(progress));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
}
