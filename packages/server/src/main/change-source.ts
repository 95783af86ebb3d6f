import { CURRENT_MS, type ChangeFeed } from "../ingest/change-log/follow-changes.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Left } from "../store/change-counts.ts";
import type { OpenStore } from "../store/open-store.ts";

/** Maximum clock skew (ms) between processes, rows and records, whose timestamps are compared. */
export const CLOCKS_APART_MS = 2000;

/** Source of changes for a process's indexes, with their store access and whether they may answer. */
export type ChangeSource = {
  readonly store: Pick<OpenStore, "read" | "rows" | "stampOf" | "isWriting">;
  readonly begin: (changed: (table: string, left?: Left) => void, missed: () => void) => void;
  readonly isCurrent: () => boolean;
  /** Lag of the source itself (ms). */
  readonly behindMs: () => number;
  /**
   * Time up to which an index with all changes delivered so far is complete (microseconds since 1970); undefined: no
   * lag.
   */
  readonly asOf: () => number | undefined;
};

/** For a process that has the engine to itself and is its only writer. */
export const storeChanges = (store: OpenStore): ChangeSource => ({
  store,
  begin: (changed) => store.onChanged(({ name }, left) => changed(name, left)),
  isCurrent: () => true,
  behindMs: () => 0,
  asOf: () => undefined,
});

/** For processes that share an engine: the leader's change log, whose changes also invalidate cached answers. */
export const loggedChanges = (
  { read, rows, stampOf, outdated }: OpenStore,
  { begin, isCurrent, behindMs }: ChangeFeed,
  tables: readonly TableDefinition[],
): ChangeSource => ({
  // Others may write at any time, so an index can never match its contents to known parts of a table.
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
