import type { Kysely } from "kysely";
import type { Fold } from "../../definition/fold.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import type { Queue } from "../queue.ts";
import { lowerThrough } from "../control/derivation-record.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";

/**
 * For a process that stores rows but runs no folds: it lowers the fold's watermark, so that the folding process looks
 * them up.
 */
export function createHandOver(
  fold: Fold,
  { db, clock }: { readonly db: Kysely<RecordsSchema>; readonly clock: Clock },
): Pick<Queue, "reads" | "begin" | "save"> {
  const inFlight = new Set<{ readonly at: number }>();
  let since: number | undefined;
  return {
    reads: fold.from.map(({ table }) => table),
    begin: () => {
      const storing = { at: clock.now() };
      inFlight.add(storing);
      return () => {
        since = Math.min(since ?? storing.at, storing.at);
        inFlight.delete(storing);
      };
    },
    save: async () => {
      if (since === undefined) return;
      const now = clock.now();
      await lowerThrough(db, fold.name, new Date(since - STAMP_MARGIN_MS), new Date(now));
      since = undefined;
      for (const { at } of inFlight) since = Math.min(since ?? at, at);
    },
  };
}
