import type { Day } from "../../definition/fold.ts";
import { keyLength, keyRanges } from "./key-sql.ts";
import { workTouched, type Between, type FoldEngine } from "./fold-work.ts";

/** Keys are looked for range by range, so memory does not grow with their number. */
const RANGES = 64;

/** Makes the rows of the days after `closed` up to `day` for whoever held or did something. */
export async function closeDays(
  engine: FoldEngine,
  run: {
    readonly closed: Day;
    readonly day: Day;
    readonly signal: AbortSignal;
    readonly between?: Between | undefined;
  },
): Promise<void> {
  const { fold, read } = engine;
  read.memory.clear();
  for (const range of keyRanges(RANGES, keyLength(fold))) {
    run.signal.throwIfAborted();
    await workTouched(engine, await fold.findHolders(read, run, range), run.day, run.signal, run.between);
  }
}
