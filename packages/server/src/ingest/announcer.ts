import type { Kysely } from "kysely";
import { mergeSpans, type Span } from "../definition/spans.ts";
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
  // Outlives a lease: records that took no note for so long that it ran out are told under the next one.
  const unsaid: Unsaid = new Map();
  return {
    hear: (deriver) => {
      current = deriver;
    },
    forget: (deriver) => {
      if (current === deriver) current = undefined;
    },
    pending: () => current?.pending() ?? {},
    under: (db) => ({
      begin: (table) => current?.begin(table) ?? leaveNotes(table, db, clock, unsaid),
      leaving: (table, taken) => current?.leaving(table, taken) ?? Promise.resolve([]),
      flush: (tables) => current?.flush(tables) ?? Promise.resolve(),
    }),
  };
}

/** By table: what was to be noted when the records did not take it. A batch that is repeated does not tell it again. */
type Unsaid = Map<string, readonly Span[]>;

/**
 * The process that derives finds rows in the store soon after they were stamped. What it cannot find so is noted: rows
 * that gave way to others, and those that came long after their stamp. What cannot be noted now is with the next batch.
 */
function leaveNotes(table: TableDefinition, db: Kysely<RecordsSchema>, clock: Clock, unsaid: Unsaid): Announce {
  const { keyRange, name } = table;
  const began = clock.now();
  const left = (): readonly Span[] => unsaid.get(name) ?? [];
  return async (rows, gone = []) => {
    const isLate = clock.now() - began > STAMP_MARGIN_MS / 2;
    const span = keyRange && spanOf(keyRange, isLate ? [...gone, ...rows] : gone);
    const spans = mergeSpans([...left(), ...(span ? [span] : [])]);
    unsaid.delete(name);
    try {
      for (const one of spans) await noteOutdated(db, name, one);
    } catch (error) {
      unsaid.set(name, mergeSpans([...left(), ...spans]));
      throw error;
    }
  };
}

function spanOf(column: string, rows: readonly InsertRow[]): Span | undefined {
  let [from, to] = [Infinity, -Infinity];
  for (const row of rows) {
    const moment = rowMoment(row[column]) * 1000;
    [from, to] = [Math.min(from, moment), Math.max(to, moment)];
  }
  return from > to ? undefined : { from, to };
}
