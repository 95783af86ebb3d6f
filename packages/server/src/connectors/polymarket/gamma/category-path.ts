import { tagParents } from "./tag-parents.ts";

type Tag = { readonly label?: string | undefined; readonly slug?: string | undefined };

/** Tags for the site's own housekeeping; they name no subject. */
const HOUSEKEEPING =
  /^(all|featured|new|recurring|weekly|daily|monthly|hide from new|games|earn .*|rewards.*|multi strikes|\d+[mh])$/i;
const NAMES: Readonly<Record<string, string>> = { mma: "MMA", ai: "AI" };

/**
 * "Sports / Basketball / NBA": the longest known path from the top among a market's tags, with their own labels if
 * present. Without a known one: Gamma's old `category`, else the first tag that names a subject; else "".
 */
export function categoryPath(tags: readonly Tag[], category: string | undefined): string {
  const labels = new Map(tags.map((tag) => [slugOf(tag), tag.label ?? ""]));
  const lines = [...labels.keys()].map(lineOf).filter((line) => line.length > 0);
  let longest = lines[0];
  for (const line of lines) if (line.length > (longest?.length ?? 0)) longest = line;
  if (longest !== undefined) return longest.map((slug) => labels.get(slug) || titled(slug)).join(" / ");
  if (category !== undefined) return category;
  return tags.find((tag) => tag.label !== undefined && !HOUSEKEEPING.test(tag.label))?.label ?? "";
}

function slugOf(tag: Tag): string {
  return tag.slug ?? (tag.label ?? "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** The path from the top down to `slug`; empty for an unknown tag. */
function lineOf(slug: string): string[] {
  const line: string[] = [];
  for (let at: string | undefined = slug; at !== undefined && at !== "" && line.length < 5; at = tagParents.get(at)) {
    if (!tagParents.has(at)) return [];
    line.unshift(at);
  }
  return line;
}

function titled(slug: string): string {
  return NAMES[slug] ?? slug.replaceAll("-", " ").replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
