import type { Kysely } from "kysely";
import type { DayDerivation } from "../../definition/day-derivation.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { findDerivedThrough, saveDerivedThrough } from "../control/derivation-record.ts";
import { deriveDays, type DaysRun } from "./derive-days.ts";
import { STAMP_MARGIN_MS } from "../stamp-margin.ts";

/**
 * Works out the days that changed since the moment written down last (all, where there is none or `isWhole`), and
 * writes down when this began. Gives how many days were made. Throws as `deriveDays`.
 */
export async function deriveChangedDays(
  derivation: DayDerivation,
  isWhole: boolean,
  run: DaysRun & { readonly db: Kysely<RecordsSchema> },
): Promise<number> {
  const { db, clock } = run;
  const began = clock.now();
  const through = isWhole ? undefined : await findDerivedThrough(db, derivation.name);
  const days = await deriveDays(derivation, through?.getTime(), run);
  await saveDerivedThrough(db, derivation.name, new Date(began - STAMP_MARGIN_MS), new Date(clock.now()));
  return days;
}
