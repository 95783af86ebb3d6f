import type { z } from "zod";
import type { Feed } from "../../../definition/connector.ts";
import { rememberCursors } from "../../../definition/remember-cursors.ts";

/** Gamma silently clamps larger limits to this. */
const PAGE_ROWS = 100;

type Walk<T extends z.ZodType> = {
  readonly feed: Feed;
  readonly path: string;
  readonly route: string;
  readonly query: readonly (readonly [string, string])[];
  /** Cursor to resume from; undefined for the start. */
  readonly after: string | undefined;
  readonly reply: T;
  readonly maxBytes?: number | undefined;
};

/**
 * The pages of a keyset list, each with the cursor of the next one (undefined on the last). The cursor is sent as
 * `after_cursor`: as `cursor` it is ignored and the first page repeats forever, so a cursor that comes again throws.
 */
export async function* keysetPages<T extends z.ZodType<{ next_cursor?: string | undefined }>>(
  walk: Walk<T>,
): AsyncGenerator<{ page: z.output<T>; next: string | undefined }, void, void> {
  const isRepeated = rememberCursors(walk.after);
  let after = walk.after;
  for (;;) {
    const query: (readonly [string, string])[] = [...walk.query, ["limit", String(PAGE_ROWS)]];
    if (after !== undefined) query.push(["after_cursor", after]);
    const { path, route, maxBytes } = walk;
    const page = await walk.feed.get({ path, query, route, ...(maxBytes && { maxBytes }) }, walk.reply);
    if (page === undefined) return;
    const next = page.next_cursor;
    if (isRepeated(next)) throw new Error(`${walk.path} returned the same cursor again`);
    yield { page, next };
    if (next === undefined) return;
    after = next;
  }
}
