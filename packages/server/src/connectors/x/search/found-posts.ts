import { z } from "zod";
import { listOf } from "../../../definition/upstream-bounds.ts";
import { isoIn, rowsOf, textIn } from "../../../definition/rows-of.ts";
import type { Price } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";

/** Ids contain the time of the post, in milliseconds since this epoch, above 22 bits. */
const EPOCH_MS = 1_288_834_974_657n;

/** The lowest possible id of a post at that time (Unix ms). */
export function idAt(timestamp: number): bigint {
  const since = BigInt(Math.trunc(timestamp)) - EPOCH_MS;
  return since > 0n ? since << 22n : 0n;
}

/** The time of a post (Unix ms), by its id. */
export const timestampOf = (post: string): number => Number((BigInt(post) >> 22n) + EPOCH_MS);

/** Price per post read, in millionths of a dollar. */
export const POST_MICRO = 5000;

/** A search is billed by the posts it returns. X does not bill a post again on the same day; here each one counts. */
export function priceOf(maxPosts: number): Price {
  return { maxMicro: maxPosts * POST_MICRO, billedMicro };
}

function billedMicro(answer: unknown): number | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { data, meta } = answer as { readonly data?: unknown; readonly meta?: { readonly result_count?: unknown } };
  if (Array.isArray(data)) return data.length * POST_MICRO;
  return meta?.result_count === 0 ? 0 : undefined;
}

const id = z.string().regex(/^\d{1,20}$/);
const count = z.number().int().optional();
const related = listOf(z.object({ id }), 10).optional();

const postWire = z.object({
  id,
  text: z.string(),
  author_id: z.string().min(1),
  created_at: z.iso.datetime(),
  lang: z.string().optional(),
  /** `retweet` is being renamed `repost`, and `tweets` `posts`: either may come. */
  public_metrics: z
    .object({ retweet_count: count, repost_count: count, reply_count: count, like_count: count, quote_count: count })
    .optional(),
  referenced_tweets: related,
  referenced_posts: related,
});

/** A post as the search returns it, with the requested fields. */
export type FoundPost = z.output<typeof postWire>;

/** GET /tweets/search/recent. `data` is absent if nothing was found. */
export const searchWire = z
  .object({
    data: rowsOf(postWire, { at: isoIn("created_at"), key: { id: textIn("id") } }).optional(),
    meta: z.object({
      result_count: z.number().int().min(0),
      newest_id: id.optional(),
      oldest_id: id.optional(),
      next_token: z.string().optional(),
    }),
  })
  .refine(({ data, meta }) => meta.result_count === 0 || data !== undefined, {
    path: ["data"],
    message: "posts are counted but missing",
  })
  .refine(({ meta }) => meta.result_count === 0 || (meta.newest_id !== undefined && meta.oldest_id !== undefined), {
    path: ["meta", "oldest_id"],
    message: "posts are counted without their first and last id",
  });

const SIGNS: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** A row of social_posts. Author names are billed separately and not requested: the id is used as the name. */
export function toPost(post: FoundPost): InsertRow {
  const { public_metrics: metrics, referenced_tweets, referenced_posts } = post;
  const [parent] = referenced_tweets ?? referenced_posts ?? [];
  return toPostRow({
    source: "x",
    id: post.id,
    tsMs: Date.parse(post.created_at),
    author: post.author_id,
    url: `https://x.com/i/web/status/${post.id}`,
    text: post.text.replaceAll(/&(?:amp|lt|gt);/g, (sign) => SIGNS[sign] ?? sign),
    lang: post.lang ?? "",
    ...(parent && { parent: parent.id }),
    counts: {
      likes: metrics?.like_count,
      reposts: metrics?.retweet_count ?? metrics?.repost_count,
      replies: metrics?.reply_count,
      quotes: metrics?.quote_count,
    },
  });
}
