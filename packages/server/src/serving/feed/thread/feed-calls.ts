import type { LeftSpan } from "../../../definition/left-span.ts";
import type { ServedTable } from "../../../definition/served.ts";
import type { Sql } from "../../../definition/sql.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import type { Comparing } from "../follow-index.ts";
import type { StoredParts } from "../stored-parts.ts";
import type { Reading } from "../../../store/store.ts";

/** Of a table of the store what a feed asks for, as it can be handed to a thread. */
export type FedTable = Pick<TableDefinition, "kind" | "name" | "copies" | "orderBy"> & {
  readonly columns: Readonly<Record<string, { readonly stored: string }>>;
};

export const fedTable = ({ kind, name, copies, orderBy, columns }: TableDefinition): FedTable => ({
  kind,
  name,
  ...(copies ? { copies } : {}),
  orderBy,
  columns: Object.fromEntries(Object.entries(columns).map(([column, { stored }]) => [column, { stored }])),
});

/** An index that the thread writes; its folder is its name. */
export type FedIndex = { readonly folder: string; readonly table: FedTable } & (
  | {
      readonly kind: "rows";
      readonly served: ServedTable;
      /** Of its KeyVersions. */
      readonly versions: SharedArrayBuffer;
    }
  | { readonly kind: "tokens" }
);

export type Progress = { readonly rows: number; readonly of: number };

/** How a call ended; a message carries no class of an error, so that damage of the file is a result. */
export type Outcome<Result> = { readonly result: Result } | { readonly damage: string };

/** What the thread is asked for. */
export type ThreadCalls = {
  /** Brings the index to what the store has; says whether it was made anew. */
  readonly apply: (
    index: FedIndex,
    left: readonly LeftSpan[],
    comparing: Comparing,
  ) => Promise<Outcome<{ readonly isNew: boolean }>>;
  /** Notes that the index has what the store has, where it has (see known-parts.ts). */
  readonly note: (index: FedIndex) => Promise<Outcome<void>>;
  readonly build: (index: FedIndex, mostBytes: number) => Promise<void>;
  /** Ends what is under way with the index, and closes its file. */
  readonly close: (folder: string) => Promise<void>;
};

/** What the thread asks for, by the folder of the index that it works at. */
export type MainCalls = {
  readonly read: (folder: string, statement: Sql, reading?: Reading) => Promise<Uint8Array<ArrayBuffer>>;
  readonly rows: (folder: string, statement: Sql) => Promise<Record<string, unknown>[]>;
  readonly parts: (folder: string) => Promise<StoredParts>;
  /** Nothing was written to the table but what the index was brought to. */
  readonly settled: (folder: string) => boolean;
  readonly progress: (folder: string, progress: Progress) => void;
  /** The new index is about to take the place of the old one. */
  readonly ready: (folder: string) => Promise<void>;
};
