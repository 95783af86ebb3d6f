import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../cli/command-error.ts";
import type { Config } from "../../config.ts";
import { describeRecords, type RecordSum } from "../../records/backup/describe-records.ts";
import { loadRecords } from "../../records/backup/load-records.ts";
import { hasRows } from "../../store/backup/restore-tables.ts";
import { isEqual, type Compared } from "../../store/copy/compare.ts";
import { openJournal, type Journal } from "../../store/copy/copy-journal.ts";
import { compareAll, copyStore } from "../../store/copy/copy-store.ts";
import type { Move } from "../../store/copy/move.ts";
import { fromDefinition } from "../../definition/sql.ts";
import { bindNothing, bindRows } from "../own-rows.ts";
import { MOVED } from "./moved.ts";
import { isFilled, type Side } from "./open-side.ts";
import { readRecordsFile, writeRecordsFile } from "./records-file.ts";
import { recordsPlace, rowsPlace } from "./read-target.ts";

export type CopyWishes = {
  readonly source: Config;
  readonly target: Config;
  readonly passes: number;
  readonly isOnlyCompared: boolean;
  readonly mayOverwrite: boolean;
} & Pick<Move, "bytesPerSecond" | "signal" | "onProgress" | "onBytes">;

export type Copied = {
  readonly compared: readonly Compared[];
  /** Rows of each table of the records; absent where both sides have one place for them. */
  readonly records?: Readonly<Record<string, number>>;
};

/** Copies records and rows from one place to another, or only compares the rows. Throws CommandError, StoreError. */
export async function copySides(source: Side, target: Side, wishes: CopyWishes): Promise<Copied> {
  const move: Move = { ...wishes, source, target, now: Date.now };
  if (wishes.isOnlyCompared) return { compared: await compareAll(move, MOVED) };
  const file = join(target.folder, `copy-${markOf(wishes)}.json`);
  const isBegun = existsSync(file);
  const journal = openJournal(file, Date.now());
  const held = digestOf(await describeRecords(target.records.db));
  const isOurs = journal.progress.records?.includes(held) === true;
  if (!isOurs && !wishes.mayOverwrite && (await isFilled(target)))
    throw new CommandError(
      1,
      isBegun
        ? "the target's records are not those that this copy put there: give --overwrite to make it equal to the source again (what came to it since is taken away)"
        : "the target holds rows or records already: give --overwrite to make it equal to the source (what only it has is taken away)",
    );
  if (!isBegun) await leaveToComparing(target, journal);
  const isShared = recordsPlace(wishes.source) === recordsPlace(wishes.target);
  if (!isShared) await bindNothing(target);
  // Records first: cursors are never ahead of the rows.
  const records = isShared ? undefined : await copyRecords(source, target, { journal, held });
  const compared = await copyStore(move, MOVED, journal, wishes);
  await target.store.run(fromDefinition("SYSTEM RELOAD DICTIONARIES"));
  // Records that both sides share go on with the source too.
  const bound = isShared ? [source, target] : [target];
  if (compared.every(isEqual)) for (const side of bound) await bindRows(side, isShared);
  return records === undefined ? { compared } : { compared, records };
}

/** Tables of the target that have rows are not walked over: their buckets are compared and those that differ made anew. */
async function leaveToComparing(target: Side, journal: Journal): Promise<void> {
  for (const table of MOVED)
    if (await hasRows(target, table)) journal.progress.tables[table.name] = { slices: [], done: 0, is_begun: false };
  journal.save();
}

async function copyRecords(
  source: Side,
  target: Side,
  { journal, held }: { readonly journal: Journal; readonly held: string },
): Promise<Readonly<Record<string, number>>> {
  const file = join(target.folder, "records.jsonl.gz");
  try {
    const said = await writeRecordsFile(source.records, file);
    journal.progress.records = [held, digestOf(said)];
    journal.save();
    const loaded = await loadRecords(target.records.db, readRecordsFile(file));
    await requireSameRecords(target, said);
    return loaded;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Throws CommandError where the records are not those that were read. */
export async function requireSameRecords(
  { records }: Pick<Side, "records">,
  said: Readonly<Record<string, RecordSum>>,
): Promise<void> {
  const held = await describeRecords(records.db);
  const other = Object.keys(said).filter((table) => said[table]?.sha256 !== held[table]?.sha256);
  if (other.length > 0)
    throw new CommandError(4, `control records differ in ${other.join(", ")}: does something write to the target?`);
}

const markOf = ({ source, target }: CopyWishes): string =>
  sha256(`${rowsPlace(source)} ${rowsPlace(target)}`).slice(0, 12);

/** One for all tables of the records. */
const digestOf = (said: Readonly<Record<string, RecordSum>>): string =>
  sha256(
    JSON.stringify(
      Object.entries(said)
        .map(([table, sum]) => [table, sum.sha256])
        .toSorted(),
    ),
  );

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
