import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import type { RefreshStore } from "../../definition/regular-jobs.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { socialPosts } from "../../tables/social-posts.ts";

/** A table with data of a post, the column with the post's id, and whether the table is partitioned by day. */
type Erasable = { readonly name: string; readonly post: "id" | "post_id"; readonly isByDay: boolean };

const ordersOf = ({ name, copies = {} }: TableDefinition): string[] => [...Object.keys(copies), name];

/** All tables with data of a post, the posts themselves last: while a post is stored there, it is found again. */
export const ERASABLE: readonly Erasable[] = [
  ...ordersOf(socialMentions).map((name): Erasable => ({ name, post: "post_id", isByDay: false })),
  { name: socialReactions.name, post: "post_id", isByDay: false },
  { name: `${socialPosts.name}_versions`, post: "id", isByDay: false },
  { name: socialPosts.name, post: "id", isByDay: true },
];

/** A post by a hash of its source and id, and the UTC day (YYYY-MM-DD) it was stored under. */
export type FoundPost = { readonly hash: string; readonly day: string };

/** A deletion carries its rows as text, below 256 KiB; the engine completes it after a crash. */
const ROWS_A_DELETION = 5000;

/** Hash that identifies rows in deletions; `column` contains the id. */
export const hashOf = (column: "id" | "post_id"): string => `hex(sipHash128(source, ${column}))`;

/** Deletes all stored data of these posts. Rows are masked at once; see apply-masks for when they leave the disk. */
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

/** Deletes the rows of a table that meet a condition; returns their number. */
export async function deleteWhere(store: RefreshStore, table: Sql, where: Sql): Promise<number> {
  const [found] = await store.rows<{ n: string }>(sql`SELECT count() AS n FROM ${table} WHERE ${where}`);
  const count = Number(found?.n ?? 0);
  if (count > 0) await store.alter(sql`DELETE FROM ${table} WHERE ${where}`);
  return count;
}
