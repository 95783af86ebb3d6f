import { CURRENT_MS, type Hearing } from "../ingest/stored/hear-stored.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Left } from "../store/change-counts.ts";
import type { OpenStore } from "../store/open-store.ts";
import { CLOCKS_APART_MS } from "./clocks-apart.ts";

/** By what the indexes of a process follow the store, what they read it by, and whether that may answer. */
export type Told = {
  readonly store: Pick<OpenStore, "read" | "rows" | "stampOf" | "isWriting">;
  readonly begin: (changed: (table: string, left?: Left) => void, missed: () => void) => void;
  readonly isCurrent: () => boolean;
  /** An index that follows, and has what was told, is so far behind (ms). */
  readonly behindMs: () => number;
  /** An index that has what was told has what was stored up to then (microseconds since 1970); undefined: all. */
  readonly asOf: () => number | undefined;
};

/** Of a process that has the engine to itself: nothing is stored but by it. */
export const toldByStore = (store: OpenStore): Told => ({
  store,
  begin: (changed) => store.onChanged(({ name }, left) => changed(name, left)),
  isCurrent: () => true,
  behindMs: () => 0,
  asOf: () => undefined,
});

/** Of processes that share one: what the leader stores is heard, which puts kept answers out of date too. */
export const toldByLog = (
  { read, rows, stampOf, outdated }: OpenStore,
  { begin, isCurrent, behindMs }: Hearing,
  tables: readonly TableDefinition[],
): Told => ({
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
