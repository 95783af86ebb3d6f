import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { DaysDerivation } from "../../definition/day-derivation.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { type DaysRun, deriveDays } from "./derive-days.ts";
import { every } from "../clock.ts";
import {
  findDerivedThrough,
  findUnfinished,
  saveDerivedThrough,
  saveUnfinished,
} from "../control/derivation-record.ts";
import { findUndoneSince } from "../control/undo-record.ts";
import { dayOf, dayOfNumber, numberOfDay } from "../../definition/day-of.ts";
import { inOrder } from "../concurrency.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";

export type DaysSchedule = Omit<DaysRun, "onProgress"> & {
  readonly derivations: readonly DaysDerivation[];
  readonly db: Kysely<RecordsSchema>;
  readonly log: Logger;
  /** Pause between two runs. */
  readonly everySeconds?: number;
};

const EVERY_SECONDS = 3600;
/** Delay after the start, so that what is stored first is derived first; and after a failure. */
const FIRST_MS = 120_000;

/**
 * Derives changed days until aborted: soon after the start, when their sources may still lag, and after a failure; then
 * at doubling intervals, at least hourly.
 */
export async function deriveDaysRegularly(schedule: DaysSchedule): Promise<void> {
  const { clock, log, signal, everySeconds = EVERY_SECONDS } = schedule;
  const derivations = inOrder(schedule.derivations, (one, { name }) => one.after.includes(name));
  const message = "a daily derivation failed";
  /** When the last run of each derivation began, on a clock that cannot be set. */
  const lastBegan = new Map<string, number>();
  let [waited, hadFailed] = [FIRST_MS, false];
  await every(
    { clock, signal, everyMs: everySeconds * 1000, firstMs: FIRST_MS, failed: { log, message } },
    async () => {
      let hasFailed = false;
      for (const derivation of derivations) {
        if (signal.aborted) return undefined;
        const [began, labels] = [clock.monotonicMs(), { derivation: derivation.name }];
        try {
          const days = await deriveChangedDays(derivation, false, {
            ...schedule,
            lastBeganMs: lastBegan.get(derivation.name),
          });
          lastBegan.set(derivation.name, began);
          log.debug({ ...labels, days, ms: clock.monotonicMs() - began }, "days derived");
        } catch (error) {
          // The others do not wait for it until the next run.
          hasFailed = true;
          if (!signal.aborted) log.error({ err: error, ...labels }, message);
        }
      }
      waited = hasFailed && !hadFailed ? FIRST_MS : waited * 2;
      hadFailed = hasFailed;
      return Math.min(waited, everySeconds * 1000);
    },
  );
}

/**
 * Derives the days that changed since the saved watermark (all if absent, or if `isWhole`) and saves this run's start
 * as the new one; an interrupted run over all days continues with those left. Returns the number of days made. Throws
 * as `deriveDays`.
 */
export async function deriveChangedDays(
  derivation: DaysDerivation,
  isWhole: boolean,
  run: DaysRun & {
    readonly db: Kysely<RecordsSchema>;
    /** When this process's last run began (`monotonicMs`). */
    readonly lastBeganMs?: number | undefined;
  },
): Promise<number> {
  const { db, clock, lastBeganMs } = run;
  const agoMs = lastBeganMs === undefined ? Number.NEGATIVE_INFINITY : clock.monotonicMs() - lastBeganMs;
  const { name } = derivation;
  const cutOff = isWhole ? undefined : await findUnfinished(db, name);
  const began = cutOff?.began ?? new Date(clock.now() - STAMP_MARGIN_MS).toISOString();
  const through = isWhole || cutOff ? undefined : await findDerivedThrough(db, name);
  const made = new Set(cutOff?.days);
  const save = (): Promise<void> => saveUnfinished(db, name, { began, days: [...made] }, new Date(clock.now()));
  const onMade = async (day: string): Promise<void> => {
    made.add(day);
    await save();
  };
  if (through === undefined) await save();
  // If the machine's clock was set back since the last run, rows are stamped before the watermark.
  const since = through && Math.min(through.getTime(), clock.now() - agoMs - STAMP_MARGIN_MS);
  const days = await deriveDays(derivation, since, {
    ...run,
    undone: since === undefined ? [] : await findUndoneDays(db, since),
    ...(through === undefined ? { made, onMade } : {}),
  });
  await saveDerivedThrough(db, name, new Date(began), new Date(clock.now()));
  return days;
}

/** The days from which rows were rolled back since a time (Unix ms). */
async function findUndoneDays(db: Kysely<RecordsSchema>, sinceMs: number): Promise<readonly string[]> {
  const spans = await findUndoneSince(db, new Date(sinceMs));
  return spans.flatMap(({ from, to }) => {
    const [first, last] = [from, to].map((at) => numberOfDay(dayOf(at.getTime() / 1000))) as [number, number];
    return Array.from({ length: last - first + 1 }, (_, index) => dayOfNumber(first + index));
  });
}
