/** A key and its value. */
export type Entry = { readonly key: Buffer; readonly value: Buffer };

/**
 * Trees of bytes in the order of their keys. Every call is over when it returns: no iterator outlives it, so no reader
 * holds a snapshot (and with it the log's growth) over an await, but one that begins it.
 */
export type OrderedStore = {
  /** What `work` writes is there wholly or not at all; what it reads is of one moment. */
  readonly transaction: <Result>(work: () => Result) => Result;
  readonly put: (tree: string, key: Buffer, value: Buffer) => void;
  readonly remove: (tree: string, key: Buffer) => void;
  readonly get: (tree: string, key: Buffer) => Buffer | undefined;
  /** The values of keys that are there, by the latin1 text of the key: many cost half as much as one by one. */
  readonly getAll: (tree: string, keys: readonly Buffer[]) => Map<string, Buffer>;
  /** Entries of which above < key ≤ from, the highest first. */
  readonly down: (tree: string, from: Buffer, above: Buffer, limit: number) => Entry[];
  /** Entries of which from ≤ key ≤ to, the lowest first. */
  readonly up: (tree: string, from: Buffer, to: Buffer, limit: number) => Entry[];
  readonly firstKey: (tree: string, from: Buffer) => Buffer | undefined;
  /** Begins a snapshot, which lasts until it is closed: for a reader of one caller alone, who closes it soon. */
  readonly beginSnapshot: () => void;
  readonly close: () => void;
};
