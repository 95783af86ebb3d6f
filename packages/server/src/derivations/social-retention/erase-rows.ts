import { fromDefinition } from "../../definition/sql.ts";
import type { RefreshStore } from "../../definition/refresh.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { ERASABLE, type Erasable } from "./erasable.ts";

/** A post by a hash of its source and id, and the UTC day (YYYY-MM-DD) it was stored under. */
export type FoundPost = { readonly hash: string; readonly day: string };

/** A deletion holds its rows as text, below 256 KiB: the engine ends it after a crash. */
const ROWS_A_DELETION = 5000;

/** The hash by which rows are named in deletions; `column` holds the id. */
export const hashOf = (column: "id" | "post_id"): string => `hex(sipHash128(source, ${column}))`;

/** Deletes all that is kept of these posts. Rows are masked at once; see apply-masks for when they leave the disk. */
export async function erasePosts(store: RefreshStore, posts: readonly FoundPost[]): Promise<void> {
  const hashes = posts.map(({ hash }) => hash);
  for (const table of ERASABLE) {
    if (!table.isByDay) await drop(store, table, hashes, "");
    else for (const [day, some] of byDay(posts)) await drop(store, table, some, `IN PARTITION '${day}' `);
  }
}

/** Deletes reactions by the hash of their own id. */
export async function eraseReactions(store: RefreshStore, hashes: readonly string[]): Promise<void> {
  await drop(store, { name: socialReactions.name, post: "id" }, hashes, "");
}

async function drop(
  store: RefreshStore,
  { name, post }: Pick<Erasable, "name" | "post">,
  hashes: readonly string[],
  partition: string,
): Promise<void> {
  for (let first = 0; first < hashes.length; first += ROWS_A_DELETION) {
    const some = hashes.slice(first, first + ROWS_A_DELETION).map((hash) => `'${hash.replaceAll(/[^0-9A-F]/g, "")}'`);
    await store.alter(fromDefinition(`DELETE FROM ${name} ${partition}WHERE ${hashOf(post)} IN (${some.join(", ")})`));
  }
}

function byDay(posts: readonly FoundPost[]): Map<string, string[]> {
  const days = new Map<string, string[]>();
  for (const { day, hash } of posts) {
    const of = day.replaceAll(/[^0-9-]/g, "");
    days.set(of, [...(days.get(of) ?? []), hash]);
  }
  return days;
}
