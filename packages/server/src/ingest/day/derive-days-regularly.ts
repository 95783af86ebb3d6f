import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { DayDerivation } from "../../definition/day-derivation.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { deriveChangedDays } from "./derive-changed-days.ts";
import type { DaysRun } from "./derive-days.ts";
import { inOrder } from "./in-order.ts";
import { every } from "../every.ts";

export type DaysSchedule = Omit<DaysRun, "onProgress"> & {
  readonly derivations: readonly DayDerivation[];
  readonly db: Kysely<RecordsSchema>;
  readonly log: Logger;
  /** How long it rests between two turns. */
  readonly everySeconds?: number;
};

const EVERY_SECONDS = 3600;
/** After the start, so that what is stored first is worked out first. */
const FIRST_MS = 120_000;

/** Works out the days that changed, hourly, until aborted. A derivation that fails is tried again with the next turn. */
export async function deriveDaysRegularly(schedule: DaysSchedule): Promise<void> {
  const { clock, log, signal, everySeconds = EVERY_SECONDS } = schedule;
  const derivations = inOrder(schedule.derivations);
  const message = "a derivation of days failed";
  await every(
    { clock, signal, everyMs: everySeconds * 1000, firstMs: FIRST_MS, failed: { log, message } },
    async () => {
      for (const derivation of derivations) {
        if (signal.aborted) return;
        const [began, labels] = [clock.now(), { derivation: derivation.name }];
        try {
          const days = await deriveChangedDays(derivation, false, schedule);
          log.debug({ ...labels, days, ms: clock.now() - began }, "days worked out");
        } catch (error) {
          // Others do not wait for it until the next turn.
          if (!signal.aborted) log.error({ err: error, ...labels }, message);
        }
      }
    },
  );
}
