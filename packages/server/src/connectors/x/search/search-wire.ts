import { z } from "zod";
import { keyOf } from "../../../definition/key-of.ts";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rowsOf } from "../../../definition/rows-of.ts";

const id = z.string().regex(/^\d{1,20}$/);
const count = z.number().int().optional();
const related = z.array(z.object({ id })).max(10).optional();

const postWire = z.object({
  id,
  text: z.string(),
  author_id: z.string().min(1),
  created_at: z.iso.datetime(),
  lang: z.string().optional(),
  /** `retweet` is becoming `repost`, and `tweets` `posts`: either may come. */
  public_metrics: z
    .object({ retweet_count: count, repost_count: count, reply_count: count, like_count: count, quote_count: count })
    .optional(),
  referenced_tweets: related,
  referenced_posts: related,
});

/** A post as the search gives it, with the fields asked for. */
export type FoundPost = z.output<typeof postWire>;

/** GET /tweets/search/recent. Where nothing was found there is no `data`. */
export const searchWire = z
  .object({
    data: rowsOf(postWire, {
      at: (raw) => rawMoment(raw["created_at"]),
      key: (raw) => keyOf("id", raw["id"]),
    }).optional(),
    meta: z.object({
      result_count: z.number().int().min(0),
      newest_id: id.optional(),
      oldest_id: id.optional(),
      next_token: z.string().optional(),
    }),
  })
  .refine(({ data, meta }) => meta.result_count === 0 || data !== undefined, {
    path: ["data"],
    message: "posts are counted and not there",
  })
  .refine(({ meta }) => meta.result_count === 0 || (meta.newest_id !== undefined && meta.oldest_id !== undefined), {
    path: ["meta", "oldest_id"],
    message: "posts are counted without their first and last id",
  });
