import { z } from "zod";
import { keyOf } from "../../../definition/key-of.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { momentOf } from "./stamp.ts";
import { parseBody } from "./parse-body.ts";

const seen = z.string().transform((text, context) => {
  const moment = momentOf(text);
  if (moment !== undefined) return moment;
  context.addIssue({ code: "custom", message: "no moment such as 20260910T121500Z" });
  return z.NEVER;
});

const articleWire = z.object({
  url: z.url().max(2000),
  title: z.string(),
  seendate: seen,
  domain: z.string().min(1),
  language: z.string(),
});

/** An article as the search lists it; `seendate` in Unix ms. */
export type Article = z.output<typeof articleWire>;

const rows = rowsOf(articleWire, {
  at: (raw) => (typeof raw["seendate"] === "string" ? momentOf(raw["seendate"]) : undefined),
  key: (raw) => keyOf("id", raw["url"]),
});

/** A text is an answer that was parked as it came. */
const reread = (value: unknown): unknown => {
  try {
    return typeof value === "string" ? parseBody(value) : value;
  } catch {
    return value;
  }
};

/** `mode=artlist`: no articles at all are an object without anything. */
export const articlesWire = z.preprocess(
  reread,
  z
    .looseObject({ articles: rows.optional(), refused: z.string().optional() })
    .refine((page) => page.articles ?? page.refused ?? Object.keys(page).length === 0, {
      path: ["articles"],
      message: "neither articles nor an empty object",
    }),
);
