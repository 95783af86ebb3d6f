import type { LeftSpan } from "../../../definition/spans.ts";
import type { ServedTable } from "../../../definition/served.ts";
import type { Sql } from "../../../definition/sql.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import type { Comparing } from "../follow-index.ts";
import type { StoredParts } from "../stored-parts.ts";
import type { Reading } from "../../../store/store.ts";
import type { MessagePort, Worker } from "node:worker_threads";

/** The parts of a table definition that a feed needs, in a form that can be sent to a thread. */
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

/** An index that the thread writes, identified by its folder. */
export type FedIndex = { readonly folder: string; readonly table: FedTable } & (
  | {
      readonly kind: "rows";
      readonly served: ServedTable;
      /** Memory of its KeyVersions. */
      readonly versions: SharedArrayBuffer;
    }
  | { readonly kind: "tokens" }
);

export type Progress = { readonly rows: number; readonly of: number };

/** Outcome of a call; messages lose the class of an error, so damage of the file is passed as a result. */
export type Outcome<Result> = { readonly result: Result } | { readonly damage: string };

/** Calls to the thread. */
export type ThreadCalls = {
  /** Brings the index up to date with the store; returns whether it was rebuilt. */
  readonly apply: (
    index: FedIndex,
    left: readonly LeftSpan[],
    comparing: Comparing,
  ) => Promise<Outcome<{ readonly isNew: boolean }>>;
  /** Records that the index matches the store, if it does (see known-parts.ts). */
  readonly note: (index: FedIndex) => Promise<Outcome<void>>;
  readonly build: (index: FedIndex, maxBytes: number) => Promise<void>;
  /** Aborts the work in progress on the index, and closes its file. */
  readonly close: (folder: string) => Promise<void>;
};

/** Calls from the thread, with the folder of the index that it works on. */
export type MainCalls = {
  readonly read: (folder: string, statement: Sql, reading?: Reading) => Promise<Uint8Array<ArrayBuffer>>;
  readonly rows: (folder: string, statement: Sql) => Promise<Record<string, unknown>[]>;
  readonly parts: (folder: string) => Promise<StoredParts>;
  /** Whether nothing was written to the table except what was applied to the index. */
  readonly settled: (folder: string) => boolean;
  readonly progress: (folder: string, progress: Progress) => void;
  /** Called when the new index is about to replace the old one. */
  readonly ready: (folder: string) => Promise<void>;
};

/** Posts a message of a call. Result bytes are transferred, not copied: an answer of the engine may have 40 MB. */
export function postMoving(port: Pick<Worker | MessagePort, "postMessage">, message: unknown): void {
  const result = (message as { readonly r?: unknown }).r;
  port.postMessage(message, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
}
