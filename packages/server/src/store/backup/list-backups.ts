import {
  backupOf,
  filesOf,
  listDrafts,
  listNames,
  type Manifest,
  PARTS,
  readManifest,
  removeManifest,
} from "./manifest.ts";
import { type BackupStorage, checkFile, DamagedFile, StorageError } from "./storage.ts";

export type Pruned = { readonly backups: readonly string[]; readonly files: number; readonly bytes: number };

/**
 * Deletes all backups but the newest `keep`, and files that belong to none, including those of interrupted backups and
 * what killed ones had begun to upload, unless one is being made now. The manifest is deleted first, so that a
 * half-deleted backup no longer counts as one.
 */
export async function pruneBackups(storage: BackupStorage, keep: number): Promise<Pruned> {
  // Before the drafts, so that nothing of a backup that begins meanwhile is among them; drafts before the complete ones,
  // so that one that ends meanwhile is among these.
  const uploads = await storage.uploads();
  const files = await storage.list("");
  const drafts = await listDrafts(storage);
  const names = await listNames(storage);
  const gone = names.slice(0, Math.max(0, names.length - keep));
  const kept: Manifest[] = [];
  for (const name of names.slice(gone.length)) kept.push(await readManifest(storage, name));
  const removed: string[] = [];
  for (const name of gone) removed.push(await removeManifest(storage, name));
  const used = new Set(kept.flatMap(filesOf).map(({ file }) => file));
  const isOwned = (name: string): boolean => used.has(name) || drafts.some((draft) => name.includes(draft));
  const newest = names.at(-1) ?? "";
  // A backup that is newer than all complete ones may be being made and have no draft yet.
  const isOld = (backup: string | undefined): boolean =>
    backup !== undefined && backup < newest && !kept.some(({ name }) => name === backup);
  const isOurs = (name: string): boolean => name.startsWith(PARTS) || isOld(backupOf(name));
  const isLeft = ({ name }: { readonly name: string }): boolean =>
    isOurs(name) && !isOwned(name) && !removed.includes(name);
  const left = files.filter(isLeft);
  for (const { name } of left) await storage.remove(name);
  for (const upload of uploads.filter(isLeft)) await upload.abort();
  return { backups: gone, files: left.length, bytes: left.reduce((total, { bytes }) => total + bytes, 0) };
}

export type BackupLine = {
  readonly name: string;
  readonly ended_at: string | null;
  readonly program: string;
  readonly schema: number;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of files that no older backup in the list has. */
  readonly own_bytes: number;
};

/** The complete backups, oldest first. */
export async function listBackups(storage: BackupStorage): Promise<readonly BackupLine[]> {
  const seen = new Set<string>();
  const lines: BackupLine[] = [];
  for (const name of await listNames(storage)) lines.push(toLine(await readManifest(storage, name), seen));
  return lines;
}

function toLine(manifest: Manifest, seen: Set<string>): BackupLine {
  const { name, ended_at, program, schema, tables } = manifest;
  const files = filesOf(manifest);
  const own = files.filter(({ file }) => !seen.has(file));
  for (const { file } of own) seen.add(file);
  const rows = tables.flatMap(({ parts }) => parts).reduce((total, part) => total + Number(part.rows), 0);
  return { name, ended_at, program, schema, rows, files: files.length, bytes: bytesOf(files), own_bytes: bytesOf(own) };
}

const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((total, { bytes }) => total + bytes, 0);

export type FileTrouble = { readonly file: string; readonly trouble: string };

/** Reads every file of a backup and compares it with its digest. Returns the files that are damaged, unreadable or missing. */
export async function verifyBackup(
  storage: BackupStorage,
  manifest: Manifest,
  onFile: (done: number, of: number) => void = () => undefined,
): Promise<readonly FileTrouble[]> {
  const files = filesOf(manifest);
  const troubles: FileTrouble[] = [];
  for (const [index, file] of files.entries()) {
    try {
      await checkFile(storage, file);
    } catch (error) {
      const isMeant =
        error instanceof DamagedFile ||
        (error instanceof StorageError && (error.problem === "absent" || error.problem === "failed"));
      if (!isMeant) throw error;
      troubles.push({ file: file.file, trouble: error.message });
    }
    onFile(index + 1, files.length);
  }
  return troubles;
}
