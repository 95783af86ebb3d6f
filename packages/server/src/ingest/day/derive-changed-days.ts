import type { Kysely } from "kysely";
import type { DayDerivation } from "../../definition/day-derivation.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import {
  findDerivedThrough,
  findUnfinished,
  saveDerivedThrough,
  saveUnfinished,
} from "../control/derivation-record.ts";
import { deriveDays, type DaysRun } from "./derive-days.ts";
import { STAMP_MARGIN_MS } from "../stamp-margin.ts";

/**
 * Works out the days that changed since the moment written down last (all, where there is none or `isWhole`), and
 * writes down when this began; of all days that were cut off those that are left. Gives how many days were made. Throws
 * as `deriveDays`.
 */
export async function deriveChangedDays(
  derivation: DayDerivation,
  isWhole: boolean,
  run: DaysRun & { readonly db: Kysely<RecordsSchema> },
): Promise<number> {
  const { db, clock } = run;
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
  const days = await deriveDays(derivation, through?.getTime(), {
    ...run,
    ...(through === undefined ? { made, onMade } : {}),
  });
  await saveDerivedThrough(db, name, new Date(began), new Date(clock.now()));
  return days;
}
