import type { Kysely } from "kysely";
import type { Fold } from "../../definition/fold.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import type { Announce } from "../derive.ts";
import { lowerThrough } from "./fold-record.ts";
import { STAMP_MARGIN_MS } from "../stamp-margin.ts";

/** Notes for a process that stores rows and works no fold out: one that does is told to look them up. */
export type HandOver = {
  readonly begin: (table: TableDefinition) => Announce;
  readonly save: () => Promise<void>;
};

export function createHandOver(fold: Fold, { db, clock }: { db: Kysely<RecordsSchema>; clock: Clock }): HandOver {
  const inFlight = new Set<{ readonly at: number }>();
  let since: number | undefined;
  return {
    begin: (table) => {
      if (!fold.from.some((source) => source.table.name === table.name)) return () => undefined;
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
