import { CURRENT_MS, type ChangeFeed } from "../ingest/change-log/follow-changes.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Left } from "../store/change-counts.ts";
import type { OpenStore } from "../store/open-store.ts";

/** So far apart (ms) the clocks of processes, rows and records may be: moments of theirs are compared with each other. */
export const CLOCKS_APART_MS = 2000;

/** Where the indexes of a process learn of changes, what they read rows by, and whether they may answer. */
export type ChangeSource = {
  readonly store: Pick<OpenStore, "read" | "rows" | "stampOf" | "isWriting">;
  readonly begin: (changed: (table: string, left?: Left) => void, missed: () => void) => void;
  readonly isCurrent: () => boolean;
  /** How far the source itself is behind (ms). */
  readonly behindMs: () => number;
  /** An index that has every change delivered so far has what was stored up to then (microseconds since 1970); undefined: all. */
  readonly asOf: () => number | undefined;
};

/** Of a process that has the engine to itself: only it stores rows. */
export const storeChanges = (store: OpenStore): ChangeSource => ({
  store,
  begin: (changed) => store.onChanged(({ name }, left) => changed(name, left)),
  isCurrent: () => true,
  behindMs: () => 0,
  asOf: () => undefined,
});

/** Of processes that share one: the leader's log, whose changes invalidate cached answers too. */
export const loggedChanges = (
  { read, rows, stampOf, outdated }: OpenStore,
  { begin, isCurrent, behindMs }: ChangeFeed,
  tables: readonly TableDefinition[],
): ChangeSource => ({
  // Others may write at any moment, so that no parts of a table are known to be those that an index has.
  store: { read, rows, stampOf, isWriting: () => true },
  begin: (changed, missed) =>
    begin({
      changed: (name, left) => {
        for (const table of tables) if (table.name === name) outdated(table);
        changed(name, left);
      },
      missed: () => {
        for (const table of tables) outdated(table);
        missed();
      },
    }),
  isCurrent,
  behindMs: () => (isCurrent() ? 0 : behindMs()),
  asOf: () => (Date.now() - CURRENT_MS - CLOCKS_APART_MS) * 1000,
});
