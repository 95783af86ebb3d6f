import { bucketSql } from "./bucket.ts";
import { added, isSame, NO_ROWS, readChecksums, type Checksum } from "./checksum.ts";
import type { Move } from "./move.ts";
import type { MovedTable } from "./moved-table.ts";
import { staysOn } from "./stamp.ts";

/** A bucket of a table in which source and target differ. */
export type Difference = { readonly bucket: string; readonly source: Checksum; readonly target: Checksum };

/** A table on both sides. `copies` names, by further sort order of the target, the buckets in which it is not the table. */
export type Compared = {
  readonly table: MovedTable;
  readonly source: Checksum;
  readonly target: Checksum;
  readonly differences: readonly Difference[];
  readonly copies: Readonly<Record<string, readonly Difference[]>>;
};

/** Compares a table, all of its rows and columns, bucket by bucket, and the target's further sort orders with it. */
export async function compareTable({ source, target, now }: Move, table: MovedTable): Promise<Compared> {
  const asked = { bucket: bucketSql(table), where: staysOn(table, now()) };
  const [there, here] = [
    await readChecksums(source.store, table, asked),
    await readChecksums(target.store, table, asked),
  ];
  const copies: Record<string, Difference[]> = {};
  for (const copy of table.copies)
    copies[copy] = differencesOf(here, await readChecksums(target.store, table, { ...asked, from: copy }));
  const differences = differencesOf(there, here);
  return { table, source: added([...there.values()]), target: added([...here.values()]), differences, copies };
}

export const isEqual = ({ differences, copies }: Compared): boolean =>
  differences.length === 0 && Object.values(copies).every((found) => found.length === 0);

function differencesOf(source: ReadonlyMap<string, Checksum>, target: ReadonlyMap<string, Checksum>): Difference[] {
  return [...new Set([...source.keys(), ...target.keys()])]
    .toSorted()
    .map((bucket) => ({ bucket, source: source.get(bucket) ?? NO_ROWS, target: target.get(bucket) ?? NO_ROWS }))
    .filter((one) => !isSame(one.source, one.target));
}
