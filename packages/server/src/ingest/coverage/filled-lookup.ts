import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { findNewestFilled, readFilled, type Written, type WrittenGap } from "./read-records.ts";

/**
 * Looks up gaps that were filled after a moment (Unix ms) and so are none any more in what was written. When one was
 * filled last is asked once for each reading of the records, and after it: no gap is in neither.
 */
export function createFilledLookup(
  db: Kysely<RecordsSchema>,
): (written: Written, since: number) => Promise<readonly WrittenGap[]> {
  const newest = new WeakMap<Written, Promise<number>>();
  const newestOf = (written: Written): Promise<number> => {
    const known = newest.get(written);
    if (known !== undefined) return known;
    const found = findNewestFilled(db);
    newest.set(written, found);
    found.catch(() => newest.delete(written));
    return found;
  };
  return async (written, since) => (since < (await newestOf(written)) ? await readFilled(db, new Date(since)) : []);
}
