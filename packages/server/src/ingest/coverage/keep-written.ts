import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { readWritten, type Written } from "./read-records.ts";

const LIFE_MS = 1000;
/** While a reading is not answered there is no other for so long: silent records are not asked again by every question. */
const SILENT_LIFE_MS = 5000;

export type KeptWritten = {
  /** What the records say, read at most once a second. Throws where they cannot be read. */
  readonly read: () => Promise<Written>;
  /** What they said last, and when that was; undefined where they were never read. */
  readonly last: () => { readonly at: number; readonly written: Written } | undefined;
};

export function keepWritten(db: Kysely<RecordsSchema>, clock: Pick<Clock, "now">): KeptWritten {
  let kept: { readonly at: number; readonly written: Promise<Written>; lifeMs: number } | undefined;
  let last: { readonly at: number; readonly written: Written } | undefined;
  return {
    last: () => last,
    read: () => {
      const at = clock.now();
      if (kept !== undefined && at - kept.at < kept.lifeMs) return kept.written;
      const reading = { at, written: readWritten(db), lifeMs: SILENT_LIFE_MS };
      kept = reading;
      const remember = (written: Written): void => {
        reading.lifeMs = LIFE_MS;
        last = { at, written };
      };
      const giveUp = (): void => {
        if (kept === reading) kept = undefined;
      };
      reading.written.then(remember, giveUp);
      return reading.written;
    },
  };
}
