import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";
import type { FoundPost } from "./search-wire.ts";

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
