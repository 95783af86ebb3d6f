/**
 * Polymarket's tags have a hierarchy on its site but not in its API. This is the known part of it: slug of a tag → slug
 * of its parent tag; "" for a top-level one.
 */
export const tagParents: ReadonlyMap<string, string> = new Map([
  ...under("", "politics sports crypto finance economy geopolitics tech culture pop-culture weather world mentions"),
  ...under("", "business science elections earnings esports climate-science economics climate health ai"),
  ...under(
    "sports",
    "basketball soccer baseball hockey football tennis golf cricket mma boxing formula-1 f1 chess rugby",
  ),
  ...under("basketball", "nba wnba ncaab cbb euroleague nba-finals"),
  ...under("football", "nfl cfb college-football super-bowl"),
  ...under("baseball", "mlb kbo npb world-series"),
  ...under("hockey", "nhl khl stanley-cup"),
  ...under(
    "soccer",
    "epl la-liga serie-a bundesliga ligue-1 ucl mls uel world-cup fifa-world-cup champions-league premier-league",
  ),
  ...under("tennis", "atp wta wimbledon us-open roland-garros australian-open"),
  ...under("mma", "ufc"),
  ...under("esports", "counter-strike-2 cs2 league-of-legends lol dota-2 valorant"),
  ...under("crypto", "bitcoin ethereum solana xrp crypto-prices airdrops dogecoin stablecoins"),
  ...under(
    "politics",
    "trump us-election congress courts global-elections world-elections primaries us-politics midterms",
  ),
  ...under("geopolitics", "ukraine israel middle-east china iran gaza russia foreign-policy"),
  ...under("finance", "stocks fed ipos indicies commodities fed-rates"),
  ...under("economy", "inflation gdp jobs macro-indicators"),
  ...under("tech", "openai spacex elon-musk big-tech"),
  ...under("culture", "movies music awards celebrities oscars"),
]);

function under(parent: string, slugs: string): [slug: string, parent: string][] {
  return slugs.split(" ").map((slug) => [slug, parent]);
}

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
