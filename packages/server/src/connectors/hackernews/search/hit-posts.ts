import { z } from "zod";
import { listOf } from "../../../definition/upstream-bounds.ts";
import { rowsOf, secondsIn, textIn } from "../../../definition/rows-of.ts";
import { compile, type Format } from "html-to-text";
import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";

const LAST_SECOND = 4_294_967_295;
const text = z.string().nullish();
const count = z.number().int().nullish();

const hitWire = z
  .object({
    objectID: z.string().regex(/^\d{1,15}$/),
    created_at_i: z.number().int().min(0).max(LAST_SECOND),
    author: text,
    title: text,
    story_text: text,
    comment_text: text,
    parent_id: count,
    story_id: count,
    points: count,
    num_comments: count,
    children: z.array(z.unknown()).max(100_000).nullish(),
    _tags: listOf(z.string(), 100),
  })
  .refine(({ title, comment_text }) => title !== undefined || comment_text !== undefined, {
    path: ["comment_text"],
    message: "neither a story's title nor a comment's text",
  });

/** A story or comment as Algolia gives it. */
export type Hit = z.output<typeof hitWire>;

/** GET /search_by_date. It never returns more than 1000 hits per query, over all pages. */
export const hitsWire = z.object({
  hits: rowsOf(hitWire, { at: secondsIn("created_at_i"), key: { id: textIn("objectID") } }, 1000),
  nbHits: z.number().int().min(0),
  nbPages: z.number().int().min(0),
  page: z.number().int().min(0),
});

/** Longer than any text the site accepts. */
const MAX_HTML = 100_000;

/** A long link's text is truncated with dots; its href contains the full address. */
const link: Format = (element, walk, builder) => {
  const { href } = element.attribs;
  if (href) builder.addInline(href, { noWordTransform: true });
  else walk(element.children, builder);
};

const convert = compile({
  wordwrap: false,
  formatters: { link },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "img", format: "skip" },
    { selector: "pre", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  ],
  limits: { maxDepth: 50, maxInputLength: MAX_HTML },
});

/** The text of Hacker News HTML, with paragraphs separated by an empty line. */
export function plainText(html: string): string {
  return convert(html.slice(0, MAX_HTML))
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

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
