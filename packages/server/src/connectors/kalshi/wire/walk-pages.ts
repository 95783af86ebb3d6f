import type { z } from "zod";
import type { Feed, Call } from "../../../definition/connector.ts";
import { rememberCursors } from "../../../definition/remember-cursors.ts";

export type Filters = Readonly<Record<string, string | number | undefined>>;

const READ_COST = 10;

/** A read of the REST API; filters without a value are omitted. */
export function kalshiCall(path: string, filters: Filters = {}, absentOn: readonly number[] = []): Call {
  const query = Object.entries(filters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return { path, query, route: "all", cost: READ_COST, ...(absentOn.length > 0 && { absentOn }) };
}

type Paged = { readonly cursor?: string | null | undefined };

export type Walk<T extends z.ZodType<Paged>> = {
  readonly feed: Feed;
  readonly path: string;
  readonly reply: T;
  /** Sent with every page: the cursor does not contain them. */
  readonly filters: Filters;
  /** A cursor saved earlier; if the venue no longer knows it, the walk restarts. */
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
};

export type Step<P> = {
  readonly page: P;
  /** Cursor of the page after this one; undefined at the end. */
  readonly next: string | undefined;
  /** How often an already seen page was returned in place of this one. */
  readonly repeats: number;
};

const MAX_PAGES = 50_000;
const MAX_REPEATS = 3;

/** Pages of a list to its end. A page returned twice is requested again; a cursor that keeps repeating throws. */
export async function* walkPages<T extends z.ZodType<Paged>>(walk: Walk<T>): AsyncGenerator<Step<z.output<T>>> {
  let isRepeated = rememberCursors(walk.from);
  let cursor = walk.from;
  let repeats = 0;
  for (let pages = 0; pages < MAX_PAGES;) {
    walk.signal.throwIfAborted();
    const resumed = pages === 0 && cursor !== undefined;
    const call = kalshiCall(walk.path, { ...walk.filters, cursor }, resumed ? [400, 404] : []);
    const page = await walk.feed.get(call, walk.reply);
    if (page === undefined) {
      if (!resumed) return;
      cursor = undefined;
      isRepeated = rememberCursors(undefined);
      continue;
    }
    const next = page.cursor || undefined;
    if (isRepeated(next)) {
      repeats += 1;
      if (repeats > MAX_REPEATS) throw new Error(`${walk.path}: the cursor repeats`);
      continue;
    }
    yield { page, next, repeats };
    repeats = 0;
    pages += 1;
    if (next === undefined) return;
    cursor = next;
  }
  throw new Error(`${walk.path}: more than ${MAX_PAGES} pages`);
}

/** Operator notices of a step. */
export function repeatNotices(step: { readonly repeats: number }, path: string) {
  if (step.repeats === 0) return {};
  return { notices: [{ kind: "repeated_page" as const, text: `${path} returned a page again`, count: step.repeats }] };
}
