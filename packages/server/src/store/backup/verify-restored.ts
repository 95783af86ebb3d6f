import { added, isCopied, isSame, readChecksum, type Checksum } from "./checksum.ts";
import { type MovedTable, sliceSql } from "./moved-table.ts";
import type { BackupPart } from "./manifest.ts";
import { pairsOf, type RestoreOptions } from "./restore-tables.ts";

/** A table's checksum in the backup and as restored; `parts` names the files whose rows differ. */
export type Verified = {
  readonly table: string;
  readonly backup: Checksum;
  readonly store: Checksum;
  readonly parts: readonly string[];
  /** Additional sort orders that differ from the table. */
  readonly copies: readonly string[];
};

type Options = Pick<RestoreOptions, "manifest" | "target" | "tables" | "onProgress">;

/** Compares the restored rows with the checksums that were computed when the backup was made. */
export async function verifyRestored(options: Options): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  const pairs = pairsOf(options);
  for (const { table, held } of pairs) {
    const store = await readChecksum(options.target.store, table);
    const backup = added(held.parts);
    const copies: string[] = [];
    for (const copy of table.copies) if (!(await isCopied(options.target.store, table, copy, store))) copies.push(copy);
    const parts = isSame(store, backup) ? [] : await findParts(options, table, held.parts);
    verified.push({ table: table.name, backup, store, parts, copies });
    options.onProgress?.({ phase: "compare", table: table.name, done: verified.length, of: pairs.length });
  }
  return verified;
}

export const isRestored = ({ backup, store, copies }: Verified): boolean =>
  isSame(backup, store) && copies.length === 0;

async function findParts({ target }: Options, table: MovedTable, parts: readonly BackupPart[]): Promise<string[]> {
  const found: string[] = [];
  for (const part of parts)
    if (!isSame(part, await readChecksum(target.store, table, { where: sliceSql(table, part) }))) found.push(part.file);
  return found;
}
