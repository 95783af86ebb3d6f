import type { z } from "zod";
import type { Batch, Cursor, PullOptions } from "../../../definition/connector.ts";
import { keysetPages } from "./keyset-pages.ts";

/** Values a walk learns from items: largest id, newest closing time. Kept in the cursor once the walk is complete. */
export type Learned = Readonly<Record<string, string | number>>;

export type CatalogueWalk<Item> = {
  readonly name: string;
  /** How long a complete walk stays valid, in seconds; 0 for one made every cycle. */
  readonly everySeconds: number;
  readonly query: (nowMs: number) => readonly (readonly [string, string])[];
  /** True once nothing older on this list can be new to us. */
  readonly isEnough?: (items: readonly Item[], cursor: Cursor) => boolean;
  /** `nowMs`: start of the cycle. */
  readonly learn?: (items: readonly Item[], learned: Learned, nowMs: number) => Learned;
};

export type Catalogue<Reply extends z.ZodType<{ next_cursor?: string | undefined }>, Item> = {
  readonly path: string;
  readonly route: string;
  readonly reply: Reply;
  /** Page size bound, if larger than the host's default. */
  readonly maxBytes?: number;
  readonly items: (page: z.output<Reply>) => readonly Item[];
  readonly toRows: (items: readonly Item[], nowIso: string) => Pick<Batch, "rows" | "notices">;
  readonly walks: readonly CatalogueWalk<Item>[];
  /** Names of the walks that must have completed for the catalogue to be complete. */
  readonly whole: readonly string[];
};

/** Long walks pause here and continue in the next cycle, so that the short ones are never late. */
const PAGES_PER_CYCLE = 300;

/**
 * One cycle over a catalogue: the walks that are due, each page stored with a cursor to resume from. The cursor
 * contains `<walk>_at` (start of its last complete walk), the learned values, and the position in an unfinished walk.
 */
export async function* catalogueCycle<Reply extends z.ZodType<{ next_cursor?: string | undefined }>, Item>(
  catalogue: Catalogue<Reply, Item>,
  options: PullOptions,
): AsyncGenerator<Batch, void, void> {
  const began = options.now();
  let state: Cursor = options.cursor ?? {};
  let pages = 0;
  for (const walk of inOrder(catalogue.walks, state)) {
    if (!isDue(walk, state, began)) continue;
    const started = state["walk"] === walk.name ? Number(state["walk_began"] ?? began) : began;
    let learned: Learned = {};
    for await (const { page, next } of pagesOf(catalogue, walk, state, options)) {
      pages += 1;
      const items = catalogue.items(page);
      learned = walk.learn?.(items, learned, began) ?? learned;
      const rows = catalogue.toRows(items, new Date(options.now()).toISOString());
      const isLast = next === undefined || walk.isEnough?.(items, state) === true;
      if (isLast) state = { ...withoutWalk(state, walk.name), ...learned, [`${walk.name}_at`]: started };
      else if (walk.everySeconds > 0) state = { ...state, walk: walk.name, walk_began: started, after: next };
      yield { ...rows, cursor: state };
      if (isLast) break;
      if (walk.everySeconds > 0 && pages >= PAGES_PER_CYCLE) return;
    }
  }
  const isWhole = catalogue.whole.every((name) => state[`${name}_at`] !== undefined);
  yield { rows: [], cursor: state, isCaughtUp: true, ...(isWhole ? { reached: new Date(began).toISOString() } : {}) };
}

/** The pages of a walk, from its saved cursor if there is one; a cursor that upstream no longer accepts is dropped. */
async function* pagesOf<Reply extends z.ZodType<{ next_cursor?: string | undefined }>, Item>(
  catalogue: Catalogue<Reply, Item>,
  walk: CatalogueWalk<Item>,
  state: Cursor,
  options: PullOptions,
): AsyncGenerator<{ page: z.output<Reply>; next: string | undefined }, void, void> {
  const { feed, signal } = options;
  const query = walk.query(options.now());
  const { path, route, reply, maxBytes } = catalogue;
  const pages = { feed, path, route, query, reply, maxBytes };
  const saved = state["walk"] === walk.name ? state["after"] : undefined;
  let given = 0;
  if (typeof saved === "string") {
    try {
      for await (const page of keysetPages({ ...pages, after: saved })) {
        given += 1;
        yield page;
      }
      return;
    } catch (error) {
      if (given > 0 || signal.aborted) throw error;
    }
  }
  yield* keysetPages({ ...pages, after: undefined });
}

/** Walks made every cycle first, then the unfinished one, then the others in their listed order. */
function inOrder<Item>(walks: readonly CatalogueWalk<Item>[], state: Cursor): readonly CatalogueWalk<Item>[] {
  const rank = (walk: CatalogueWalk<Item>): number =>
    walk.everySeconds === 0 ? 0 : walk.name === state["walk"] ? 1 : 2;
  return walks.toSorted((a, b) => rank(a) - rank(b));
}

function isDue<Item>(walk: CatalogueWalk<Item>, state: Cursor, nowMs: number): boolean {
  const at = state[`${walk.name}_at`];
  if (walk.name === state["walk"] || typeof at !== "number") return true;
  // A time in the future was written by a clock that has been set back since.
  return at > nowMs || nowMs - at >= walk.everySeconds * 1000;
}

function withoutWalk(state: Cursor, name: string): Cursor {
  if (state["walk"] !== name) return state;
  return Object.fromEntries(Object.entries(state).filter(([key]) => !["walk", "walk_began", "after"].includes(key)));
}

/**
 * Every cycle, the new items from the newest back to a known one. Gamma's ids follow creation, and are far within the
 * range of a JavaScript number.
 */
export const newestWalk = <Item extends { readonly id: string }>(
  query: CatalogueWalk<Item>["query"],
): CatalogueWalk<Item> => ({
  name: "newest",
  everySeconds: 0,
  query,
  isEnough: (items, cursor) => items.some((item) => Number(item.id) <= Number(cursor["newest_id"] ?? Infinity)),
  learn: (items, learned) => {
    const ids = items.map((item) => Number(item.id));
    return ids.length === 0 ? learned : { ...learned, newest_id: Math.max(Number(learned["newest_id"] ?? 0), ...ids) };
  },
});
