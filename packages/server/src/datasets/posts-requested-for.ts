import type { Asking, Given, Params } from "../definition/dataset.ts";
import { language } from "../definition/locale-params.ts";
import { choice, condition } from "../definition/param-kinds.ts";
import { SOCIAL_SOURCES } from "../definition/vocabulary.ts";
import type { PostsRequested } from "../derivations/social-read/posts-sql.ts";
import { socialMentions } from "../tables/social-mentions.ts";
import { socialPosts } from "../tables/social-posts.ts";
import { socialReactions } from "../tables/social-reactions.ts";
import { socialRemovals } from "../tables/social-removals.ts";

/** Tables of posts, reactions to them, removals, and the markets they are about. */
export const POST_TABLES = [socialPosts, socialReactions, socialRemovals, socialMentions];

/** Parameters, besides `keywords`, that select posts. */
export const postParams = {
  condition_id: condition().list().describe("Only posts about one of these Polymarket markets."),
  source: choice(...SOCIAL_SOURCES)
    .list()
    .describe("Only from these sources."),
  lang: language().list().describe("Only in these languages, ISO 639-1, e.g. en."),
};

/** The error where no subject is requested. */
export const checkSubject = (sent: ReadonlySet<string>): string | undefined =>
  sent.has("keywords") || sent.has("condition_id") || sent.has("market_slug")
    ? undefined
    : "keywords or condition_id is required";

/** The posts that the parameters select, on the walk's snapshot. */
export const postsRequestedFor = (p: Given<Params>, { snapshot, prepared }: Asking): PostsRequested => ({
  phrases: p["keywords"],
  conditions: p["condition_id"],
  sources: p["source"],
  langs: p["lang"],
  snapshot,
  visible: prepared?.["visible"],
});
