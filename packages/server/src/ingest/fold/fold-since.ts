import type { Day } from "../../definition/fold.ts";
import { findMadeThrough } from "../control/derivation-record.ts";
import { findUndoneSince } from "../control/undo-record.ts";
import type { DeriverOptions } from "../derive.ts";
import { isMade } from "../timestamps.ts";
import { findValues } from "./find-touched.ts";
import { foldAll } from "./fold-all.ts";
import { workTouched, type Between, type Done, type FoldEngine } from "./fold-work.ts";

/** Folds every key with rows stored or removed since a time (Unix ms; 0: all keys). */
export async function foldSince(
  engine: FoldEngine,
  { db, log }: Pick<DeriverOptions, "db" | "log">,
  run: {
    readonly sinceMs: number;
    readonly closed: Day;
    readonly signal: AbortSignal;
    readonly between?: Between | undefined;
  },
): Promise<Done> {
  const { fold, read } = engine;
  const { sinceMs, closed, signal, between } = run;
  const done = await foldAll(engine, run);
  if (done.keys > 0)
    log.info({ derivation: fold.name, ...done, since: new Date(sinceMs) }, "derived rows stored earlier");
  // Everything was folded.
  if (sinceMs === 0) return done;
  read.memory.clear();
  const madeSinceMs = Math.max(sinceMs, await findMadeThrough(db, fold.name));
  for (const source of fold.from) {
    if (source.find === undefined) continue;
    const fromMs = isMade(source.table) ? madeSinceMs : sinceMs;
    const values = await findValues(source, read, fromMs);
    const past = [...values].filter(([, day]) => !source.isOfClosedDays || day <= closed);
    if (past.length === 0) continue;
    await workTouched(engine, await source.find(read, new Map(past), fromMs), closed, signal, between);
  }
  for (const { from, to } of await findUndoneSince(db, new Date(sinceMs))) {
    const keys = await fold.findUndone(read, { from: from.getTime(), to: to.getTime() });
    await workTouched(engine, keys, closed, signal, between);
  }
  return done;
}
