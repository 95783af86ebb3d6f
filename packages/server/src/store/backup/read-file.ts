import { digested, type Digest } from "./digested.ts";
import type { BackupStorage } from "./storage.ts";

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
