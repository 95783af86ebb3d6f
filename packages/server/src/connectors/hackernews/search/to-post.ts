import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";
import type { Hit } from "./hits-wire.ts";
import { plainText } from "./plain-text.ts";

/** A row of social_posts. The site is in English without declaring it per post; times are the server's. */
export function toPost(hit: Hit): InsertRow {
  const { objectID, points, num_comments, children, author } = hit;
  const parent = hit.parent_id ?? (isComment(hit) ? hit.story_id : null);
  return toPostRow({
    source: "hackernews",
    id: objectID,
    tsMs: hit.created_at_i * 1000,
    author: author ?? "",
    url: `https://news.ycombinator.com/item?id=${objectID}`,
    text: textOf(hit),
    lang: "en",
    ...(parent == null ? {} : { parent: String(parent) }),
    counts: { likes: points ?? 0, replies: num_comments ?? children?.length ?? 0 },
  });
}

const isComment = ({ comment_text }: Hit): boolean => typeof comment_text === "string";

function textOf({ title, story_text, comment_text }: Hit): string {
  if (typeof comment_text === "string") return plainText(comment_text);
  return [plainText(title ?? ""), plainText(story_text ?? "")].filter((part) => part !== "").join("\n\n");
}
