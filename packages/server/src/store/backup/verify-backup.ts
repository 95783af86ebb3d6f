import { filesOf, type Manifest } from "./manifest.ts";
import { checkFile, DamagedFile } from "./read-file.ts";
import { StorageError, type BackupStorage } from "./storage.ts";

export type FileTrouble = { readonly file: string; readonly trouble: string };

/** Reads every file of a backup and compares it with its digest. Gives those that are damaged or not there. */
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
      const isMeant = error instanceof DamagedFile || (error instanceof StorageError && error.problem === "absent");
      if (!isMeant) throw error;
      troubles.push({ file: file.file, trouble: error.message });
    }
    onFile(index + 1, files.length);
  }
  return troubles;
}
