import { z } from "zod";
import { listOf } from "../../../definition/list-of.ts";
import { rowsOf, secondsIn, textIn } from "../../../definition/rows-of.ts";

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
