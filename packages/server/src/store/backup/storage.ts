import type { Readable } from "node:stream";

export type StoredFile = { readonly name: string; readonly bytes: number; readonly changedMs: number };

/**
 * Where backups are kept: names with slashes, as a folder or a bucket has them. Every call throws StorageError, whose
 * message names what was asked for and what to do, and never a secret.
 */
export type BackupStorage = {
  /** For messages: the folder, or s3://bucket/prefix. */
  readonly place: string;
  /** Stores a file whole or not at all; one of that name is replaced. */
  readonly put: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly get: (name: string) => Promise<Readable>;
  /** Files whose name begins so, in order of their names. */
  readonly list: (prefix: string) => Promise<readonly StoredFile[]>;
  readonly remove: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export class StorageError extends Error {
  readonly problem: "absent" | "refused" | "unreachable" | "full" | "failed";

  constructor(problem: StorageError["problem"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StorageError";
    this.problem = problem;
  }
}
