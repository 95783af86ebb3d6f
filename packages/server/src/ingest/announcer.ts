import type { Kysely } from "kysely";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Clock } from "./clock.ts";
import { noteOutdated } from "./control/outdated-record.ts";
import type { Announce, Deriver } from "./derive.ts";
import { rowMoment } from "./row-moment.ts";
import { STAMP_MARGIN_MS } from "./stamp-margin.ts";

/** What those who store rows tell what they store. */
export type Listener = Pick<Deriver, "begin" | "leaving" | "flush">;

/** Tells the deriver of this process what is stored; where another process derives, it leaves notes in the records. */
export type Announcer = {
  /** The notes are written to these records. */
  readonly under: (db: Kysely<RecordsSchema>) => Listener;
  readonly hear: (deriver: Deriver) => void;
  readonly forget: (deriver: Deriver) => void;
  /** Buckets that wait here. */
  readonly pending: () => Readonly<Record<string, number>>;
};

export function createAnnouncer(clock: Clock): Announcer {
  let current: Deriver | undefined;
  return {
    hear: (deriver) => {
      current = deriver;
    },
    forget: (deriver) => {
      if (current === deriver) current = undefined;
    },
    pending: () => current?.pending() ?? {},
    under: (db) => ({
      begin: (table) => current?.begin(table) ?? leaveNotes(table, db, clock),
      leaving: (table, taken) => current?.leaving(table, taken) ?? Promise.resolve([]),
      flush: (tables) => current?.flush(tables) ?? Promise.resolve(),
    }),
  };
}

/**
 * The process that derives finds rows in the store soon after they were stamped. What it cannot find so is noted: rows
 * that gave way to others, and those that came long after their stamp.
 */
function leaveNotes(table: TableDefinition, db: Kysely<RecordsSchema>, clock: Clock): Announce {
  const { keyRange } = table;
  const began = clock.now();
  return async (rows, left = []) => {
    const isLate = clock.now() - began > STAMP_MARGIN_MS / 2;
    const span = keyRange && spanOf(keyRange, isLate ? [...left, ...rows] : left);
    if (span) await noteOutdated(db, table.name, span);
  };
}

function spanOf(column: string, rows: readonly InsertRow[]): { from: number; to: number } | undefined {
  let [from, to] = [Infinity, -Infinity];
  for (const row of rows) {
    const moment = rowMoment(row[column]) * 1000;
    [from, to] = [Math.min(from, moment), Math.max(to, moment)];
  }
  return from > to ? undefined : { from, to };
}
