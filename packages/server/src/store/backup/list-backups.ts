import { filesOf, listNames, readManifest, type Manifest } from "./manifest.ts";
import type { BackupStorage } from "./storage.ts";

export type BackupLine = {
  readonly name: string;
  readonly ended_at: string | null;
  readonly program: string;
  readonly schema: number;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of files that no older backup of the list has. */
  readonly own_bytes: number;
};

/** The backups that are whole, oldest first. */
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
