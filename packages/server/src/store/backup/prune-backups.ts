import { filesOf, listDrafts, listNames, readManifest, removeManifest, type Manifest } from "./manifest.ts";
import type { BackupStorage } from "./storage.ts";

const PARTS = "parts/";

export type Pruned = { readonly backups: readonly string[]; readonly files: number; readonly bytes: number };

/**
 * Takes away all backups but the newest `keep`, and files that belong to none: those of backups that were cut off too,
 * unless one is being made now. The manifest goes first: what is half gone is no backup any more.
 */
export async function pruneBackups(storage: BackupStorage, keep: number): Promise<Pruned> {
  const names = await listNames(storage);
  const gone = names.slice(0, Math.max(0, names.length - keep));
  const kept: Manifest[] = [];
  for (const name of names.slice(gone.length)) kept.push(await readManifest(storage, name));
  for (const name of gone) await removeManifest(storage, name);
  const used = new Set(kept.flatMap(filesOf).map(({ file }) => file));
  const drafts = await listDrafts(storage);
  const isOwned = (name: string): boolean => used.has(name) || drafts.some((draft) => name.includes(draft));
  const isOurs = (name: string): boolean => name.startsWith(PARTS) || gone.some((one) => name.startsWith(`${one}/`));
  const left = (await storage.list("")).filter(({ name }) => isOurs(name) && !isOwned(name));
  for (const { name } of left) await storage.remove(name);
  return { backups: gone, files: left.length, bytes: left.reduce((total, { bytes }) => total + bytes, 0) };
}
