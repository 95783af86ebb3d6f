import type { DayDerivation } from "../../definition/day-derivation.ts";
import { deriveDays, type DaysRun } from "./derive-days.ts";
import { inOrder } from "./in-order.ts";

/** Works out all days of all day derivations again, whatever changed. Throws as `deriveDays`. */
export async function rebuildDays(derivations: readonly DayDerivation[], run: DaysRun): Promise<number> {
  let made = 0;
  for (const derivation of inOrder(derivations)) made += await deriveDays(derivation, undefined, run);
  return made;
}
