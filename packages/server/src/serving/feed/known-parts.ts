import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { ServingWriter } from "../writer.ts";
import type { Feed } from "./build-index.ts";
import { readMark } from "./mark.ts";
import { addedRows, type StoredParts } from "./stored-parts.ts";

/** What a table consisted of when the index had exactly its rows, all stored up to `through`, and on which run of the machine. */
type KnownParts = Pick<StoredParts, "id" | "parts"> & { readonly through: number; readonly boot: string };

const BOOT_FILE = "/proc/sys/kernel/random/boot_id";
/** Where a machine does not say on which run it is, each process is on another one. */
const BOOT = existsSync(BOOT_FILE) ? readFileSync(BOOT_FILE, "utf8").trim() : randomUUID();

/** What an index has of the rows of these parts, to be written in the transaction with which it has them. */
export const knownParts = ({ id, parts }: StoredParts, through: number): Buffer =>
  Buffer.from(JSON.stringify({ id, parts, through, boot: BOOT } satisfies KnownParts));

/**
 * Notes that the index has the rows of the parts that there are, no more and no less. `isSettled` says whether nothing was
 * written to the table but what the index was given.
 */
export async function noteParts(writer: ServingWriter, feed: Feed, isSettled: () => Promise<boolean>): Promise<void> {
  const parts = await feed.readParts();
  if (parts.isChanging || !(await isSettled())) return;
  const known = knownParts(parts, readMark(writer.mark()));
  if (writer.known()?.equals(known) !== true) writer.apply({ known });
}

/** Before rows are taken away: an index of which a part is read anew is that of no store. */
export function forgetParts(writer: ServingWriter): void {
  if (writer.known() !== undefined) writer.apply({ known: Buffer.alloc(0) });
}

/**
 * After which moment (microseconds since 1970) rows were stored that the index may lack, where nothing else can differ
 * from what is stored; "nothing" where it lacks none. Undefined where that cannot be told: then they are to be compared.
 */
export async function knownThrough(
  writer: ServingWriter,
  feed: Feed,
  now: StoredParts,
): Promise<number | "nothing" | undefined> {
  const text = writer.known();
  if (text === undefined) return undefined;
  const { through, boot, ...known } = JSON.parse(text.toString()) as KnownParts;
  // A power cut may take parts that the index has rows of, and that are not among those that were noted.
  if (boot !== BOOT && through !== readMark(writer.mark())) return undefined;
  const added = await addedRows(feed, { ...known, through }, now);
  if (added === undefined) return undefined;
  return added === 0 && through === readMark(writer.mark()) ? "nothing" : through;
}
