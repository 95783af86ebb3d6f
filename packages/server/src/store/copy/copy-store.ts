import { compareTable, isEqual, type Compared } from "./compare.ts";
import { copyChanges } from "./copy-changes.ts";
import type { Journal } from "./copy-journal.ts";
import { copyWhole } from "./copy-whole.ts";
import { mend } from "./mend.ts";
import type { Move } from "./move.ts";
import type { MovedTable } from "./moved-table.ts";

export type CopyOptions = {
  /** So often what differs is made again and compared once more. */
  readonly passes: number;
};

/**
 * Copies every row: first all of them, then what was stored since, then compares all tables bucket by bucket and makes
 * anew what differs. While the source gathers, its present always differs; once nothing writes, nothing does.
 */
export async function copyStore(
  move: Move,
  tables: readonly MovedTable[],
  journal: Journal,
  { passes }: CopyOptions,
): Promise<readonly Compared[]> {
  for (const table of tables) await copyWhole(move, journal, table);
  await copyChanges(move, journal, tables);
  let compared = await compareAll(move, tables);
  for (let pass = 0; pass < passes && compared.some((one) => !isEqual(one)); pass += 1) {
    for (const one of compared) if (!isEqual(one)) await mend(move, one);
    const again = await compareAll(
      move,
      compared.filter((one) => !isEqual(one)).map(({ table }) => table),
    );
    compared = compared.map((one) => again.find(({ table }) => table === one.table) ?? one);
  }
  return compared;
}

/** Compares tables and changes nothing. */
export async function compareAll(move: Move, tables: readonly MovedTable[]): Promise<readonly Compared[]> {
  const compared: Compared[] = [];
  for (const table of tables) {
    move.signal?.throwIfAborted();
    compared.push(await compareTable(move, table));
    move.onProgress?.({ phase: "compare", table: table.name, done: compared.length, of: tables.length });
  }
  return compared;
}
