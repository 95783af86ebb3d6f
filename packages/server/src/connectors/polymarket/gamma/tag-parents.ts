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
