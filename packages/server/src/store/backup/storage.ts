import type { Readable } from "node:stream";
import { digested, type Digest } from "./metered.ts";

/** A file of a backup is not what the manifest says it is. */
export class DamagedFile extends Error {
  readonly file: string;

  constructor(place: string, file: string, said: Digest, found: Digest) {
    const bytes = said.bytes === found.bytes ? "" : `${found.bytes} bytes instead of ${said.bytes}, `;
    super(`${place}/${file} is damaged: ${bytes}SHA-256 ${found.sha256} instead of ${said.sha256}`);
    this.name = "DamagedFile";
    this.file = file;
  }
}

/** A file of a backup, whole and as it was written. Throws DamagedFile, StorageError. */
export async function readFile(storage: BackupStorage, file: { readonly file: string } & Digest): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await checkFile(storage, file, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Reads a file of a backup to its end and compares it with what the manifest says. Throws DamagedFile, StorageError. */
export async function checkFile(
  storage: BackupStorage,
  { file, bytes, sha256 }: { readonly file: string } & Digest,
  take: (chunk: Uint8Array) => void = () => undefined,
): Promise<void> {
  const read = digested(await storage.get(file));
  for await (const chunk of read.bytes) take(chunk);
  const found = read.digest();
  if (found.sha256 !== sha256) throw new DamagedFile(storage.place, file, { bytes, sha256 }, found);
}

/** For reading that belongs to no request: it may take as long as it takes, by one thread of the engine. */
export const UNLIMITED = {
  settings: { max_execution_time: 0, max_memory_usage: 4_000_000_000, max_threads: 1 },
} as const;

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
