import type { Readable } from "node:stream";
import { digested, type Digest } from "./metered.ts";

/** A file of a backup does not match its manifest entry. */
export class DamagedFile extends Error {
  readonly file: string;

  constructor(place: string, file: string, said: Digest, found: Digest) {
    const bytes = said.bytes === found.bytes ? "" : `${found.bytes} bytes instead of ${said.bytes}, `;
    super(`${place}/${file} is damaged: ${bytes}SHA-256 ${found.sha256} instead of ${said.sha256}`);
    this.name = "DamagedFile";
    this.file = file;
  }
}

/** Reads a file of a backup completely and verifies it. Throws DamagedFile, StorageError. */
export async function readFile(storage: BackupStorage, file: { readonly file: string } & Digest): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await checkFile(storage, file, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Reads a file of a backup to its end and compares it with the manifest. Throws DamagedFile, StorageError. */
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

/** For reads that belong to no request: no time limit, on one thread of the engine. */
export const UNLIMITED = {
  settings: { max_execution_time: 0, max_memory_usage: 4_000_000_000, max_threads: 1 },
} as const;

export type StoredFile = { readonly name: string; readonly bytes: number; readonly changedMs: number };

export type Upload = { readonly name: string; readonly abort: () => Promise<void> };

/**
 * Storage for backups: names with slashes, as in a folder or a bucket. Every call throws StorageError, whose message
 * names what was requested and how to fix it, and never a secret.
 */
export type BackupStorage = {
  /** For messages: the folder, or s3://bucket/prefix. */
  readonly place: string;
  /** Stores a file completely or not at all; replaces a file of that name. */
  readonly put: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly get: (name: string) => Promise<Readable>;
  /** Files whose name has this prefix, ordered by name. */
  readonly list: (prefix: string) => Promise<readonly StoredFile[]>;
  readonly remove: (name: string) => Promise<void>;
  /** Uploads begun and not ended, which occupy space and are in no list: by a running process, or by a killed one. */
  readonly uploads: () => Promise<readonly Upload[]>;
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
