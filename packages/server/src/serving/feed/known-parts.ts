import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { ServingWriter } from "../writer.ts";
import type { Feed } from "./build-index.ts";
import { addedRows, type StoredParts } from "./stored-parts.ts";

/** Time of storing (microseconds since 1970) up to which the index has all rows. */
export const writeMark = (through: number): Buffer => Buffer.from(String(through));

export const readMark = (mark: Buffer | undefined): number => Number(mark?.toString() ?? 0);

/** Rows of an earlier process may have been stamped this long (microseconds) before they became readable. */
export const MARGIN_MICROS = 10_000_000;

/**
 * A table's parts when the index had exactly their rows, all stored up to `through`, and the machine's boot id then.
 */
type KnownParts = Pick<StoredParts, "id" | "parts"> & { readonly through: number; readonly boot: string };

const BOOT_FILE = "/proc/sys/kernel/random/boot_id";
/** If the machine has no boot id, each process counts as another boot. */
const BOOT = existsSync(BOOT_FILE) ? readFileSync(BOOT_FILE, "utf8").trim() : randomUUID();

/** The record that an index has the rows of these parts, to be written in the same transaction as the rows. */
export const knownParts = ({ id, parts }: StoredParts, through: number): Buffer =>
  Buffer.from(JSON.stringify({ id, parts, through, boot: BOOT } satisfies KnownParts));

/**
 * Records that the index has exactly the rows of the current parts. `isSettled` tells whether nothing was written to
 * the table except what was applied to the index.
 */
export async function noteParts(writer: ServingWriter, feed: Feed, isSettled: () => Promise<boolean>): Promise<void> {
  const parts = await feed.readParts();
  if (parts.isChanging || !(await isSettled())) return;
  const known = knownParts(parts, readMark(writer.mark()));
  if (writer.known()?.equals(known) !== true) writer.apply({ known });
}

/** Called before rows are removed: an index that is partly re-read matches no state of the store. */
export function forgetParts(writer: ServingWriter): void {
  if (writer.known() !== undefined) writer.apply({ known: Buffer.alloc(0) });
}

/**
 * Returns the time (microseconds since 1970) after which the index may lack stored rows, if it cannot differ otherwise;
 * "nothing" if it lacks none. Undefined if that cannot be determined: the index must then be compared.
 */
export async function knownThrough(
  writer: ServingWriter,
  feed: Feed,
  now: StoredParts,
): Promise<number | "nothing" | undefined> {
  const text = writer.known();
  if (text === undefined) return undefined;
  const { through, boot, ...known } = JSON.parse(text.toString()) as KnownParts;
  // A power failure may lose parts whose rows the index has and that are not among the recorded parts.
  if (boot !== BOOT && through !== readMark(writer.mark())) return undefined;
  const added = await addedRows(feed, { ...known, through }, now);
  if (added === undefined) return undefined;
  return added === 0 && through === readMark(writer.mark()) ? "nothing" : through;
}
