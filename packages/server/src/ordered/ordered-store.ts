/** Data read from a file differs from what was written to it. */
export class DamagedError extends Error {}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** A page lies beyond the end of the file, or cannot be read. */
const SQLITE_IOERR_SHORT_READ = 522;
const SQLITE_IOERR_READ = 266;

/** Whether a file has to be rebuilt because nothing in it can be trusted any more. */
export function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedError) return true;
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const code = Number(error.errcode);
  if (code === SQLITE_IOERR_SHORT_READ || code === SQLITE_IOERR_READ) return true;
  // The higher bytes are details of the same error.
  return (code & 255) === SQLITE_CORRUPT || (code & 255) === SQLITE_NOTADB;
}

/** A key and its value. */
export type Entry = { readonly key: Buffer; readonly value: Buffer };

/**
 * Trees of byte keys and values, ordered by key. Every call is complete when it returns: no iterator outlives it, so no
 * reader holds a snapshot (and with it the growth of the log) over an await, except one that begins a snapshot.
 */
export type OrderedStore = {
  /** Writes of `work` are atomic; its reads see one snapshot. */
  readonly transaction: <Result>(work: () => Result) => Result;
  readonly put: (tree: string, key: Buffer, value: Buffer) => void;
  readonly remove: (tree: string, key: Buffer) => void;
  readonly get: (tree: string, key: Buffer) => Buffer | undefined;
  /**
   * The values of existing keys, by the latin1 text of the key: reading many at once costs half as much as one by one.
   */
  readonly getAll: (tree: string, keys: readonly Buffer[]) => Map<string, Buffer>;
  /** Entries with above < key ≤ from, the highest first. */
  readonly down: (tree: string, from: Buffer, above: Buffer, limit: number) => Entry[];
  /** Entries with from ≤ key ≤ to, the lowest first. */
  readonly up: (tree: string, from: Buffer, to: Buffer, limit: number) => Entry[];
  readonly firstKey: (tree: string, from: Buffer) => Buffer | undefined;
  /**
   * Begins a snapshot that lasts until the store is closed: for the reader of a single caller, which closes it soon.
   */
  readonly beginSnapshot: () => void;
  readonly close: () => void;
};
