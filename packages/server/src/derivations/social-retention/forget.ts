import type { RefreshStore } from "../../definition/regular-jobs.ts";
import type { SocialSource } from "../../definition/vocabulary.ts";
import { bind, fromDefinition, joined, name, sql, type Sql } from "../../definition/sql.ts";
import { rawPayloads } from "../../tables/raw-payloads.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { REACTOR } from "../social-read/removals.ts";
import { applyMasks } from "./social-sweeps.ts";
import { erasePosts, eraseReactions, hashOf, type FoundPost } from "./erase-rows.ts";

/** A post, or everything by an author, identified by its id at some sources. */
export type ToForget = {
  readonly what: "post" | "author";
  readonly id: string;
  readonly sources: readonly SocialSource[];
};

export type Forgotten = { readonly posts: number; readonly reactions: number; readonly rawPayloads: number };

const MAX_PARTITIONS = 10_000;
const HASH = fromDefinition(hashOf("id"));
const AND = sql` AND `;
const OR = sql` OR `;

/**
 * Hides the named post or author permanently, including later copies, and deletes it from disk: posts with all
 * versions, mentions and reactions, and the raw payloads of the sources' streams that name it.
 */
export async function forget(
  store: RefreshStore,
  requested: ToForget,
  { streams, nowMs }: { readonly streams: readonly string[]; readonly nowMs: number },
): Promise<Forgotten> {
  const { what, id, sources } = requested;
  const ts = new Date(nowMs).toISOString();
  const removal = { what: what === "post" ? "record" : "author", id, ts, reason: "request" };
  await store.insert(
    socialRemovals,
    sources.map((source) => ({ source, ...removal })),
  );
  const ofSources = sql`has(${bind("Array(String)", sources)}, toString(source))`;
  const named = (column: Sql): Sql => sql`${ofSources} AND ${column} = ${bind("String", id)}`;
  const posts = await findPosts(store, named(what === "post" ? sql`id` : sql`author`));
  const reactions = await store.rows<{ hash: string }>(
    sql`SELECT DISTINCT ${HASH} AS hash FROM ${socialReactions} WHERE ${named(what === "post" ? sql`id` : REACTOR)}`,
  );
  await erasePosts(store, posts);
  await eraseReactions(
    store,
    reactions.map(({ hash }) => hash),
  );
  await applyMasks(store, { days: [...new Set(posts.map(({ day }) => day))], most: MAX_PARTITIONS });
  return {
    posts: posts.length,
    reactions: reactions.length,
    rawPayloads: await forgetPayloads(store, requested, streams),
  };
}

function findPosts(store: RefreshStore, where: Sql): Promise<FoundPost[]> {
  const versions = name(`${socialPosts.name}_versions`);
  return store.rows<FoundPost>(
    sql`SELECT DISTINCT ${HASH} AS hash, toString(toDate(ts)) AS day FROM (SELECT source, id, ts FROM ${socialPosts} WHERE ${where} UNION ALL SELECT source, id, ts FROM ${versions} WHERE ${where})`,
  );
}

const isInBody = (part: string): Sql => sql`position(body, ${bind("String", part)}) > 0`;

async function forgetPayloads(store: RefreshStore, requested: ToForget, streams: readonly string[]): Promise<number> {
  const named = namingsOf(requested).map((parts) => sql`(${joined(parts.map(isInBody), AND)})`);
  const holds = sql`stream IN ${bind("Array(String)", streams)} AND (${joined(named, OR)})`;
  const [found] = await store.rows<{ n: string }>(sql`SELECT count() AS n FROM ${rawPayloads} WHERE ${holds}`);
  const count = Number(found?.n ?? 0);
  if (count > 0) {
    const settings = fromDefinition("SETTINGS mutations_sync = 1");
    await store.alter(sql`ALTER TABLE ${rawPayloads} DELETE WHERE ${holds} ${settings}`);
  }
  return count;
}

const AT_URI = /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/;

/**
 * Ways in which a payload of a source (JSON as received) names a post or an author: a text that contains all parts of
 * one of them does. Only whole values count: an id may be a word found in any text.
 */
export function namingsOf({
  what,
  id,
}: {
  readonly what: "post" | "author";
  readonly id: string;
}): readonly string[][] {
  const [, did, rkey] = (what === "post" ? AT_URI.exec(id) : undefined) ?? [];
  const whole = [...texts(id), ...(what === "post" ? numbers(id) : [])].map((form) => [form]);
  if (did === undefined || rkey === undefined) return whole;
  // A Jetstream event identifies a post by its parts.
  return [...whole, ...texts(did).flatMap((author) => texts(rkey).map((key) => [author, key]))];
}

const texts = (value: string): string[] => [`:${JSON.stringify(value)}`, `: ${JSON.stringify(value)}`];

/** Hacker News gives ids as numbers too, for the story that a comment is under, with its title. */
const numbers = (id: string): string[] => (/^\d+$/.test(id) ? [`:${id},`, `:${id}}`, `: ${id},`, `: ${id}}`] : []);
