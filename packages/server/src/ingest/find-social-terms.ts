import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/** Number of events to examine for the phrases: many share a name. */
const EVENTS = 400;
const MAX_TERMS = 200;
const MIN_LETTERS = 3;
const MAX_LENGTH = 60;

/**
 * Phrases that name the topics of the open events with the most trading, most traded first. `namesIn` returns the names
 * in a title.
 */
export async function findSocialTerms(
  store: Pick<Store, "rows">,
  namesIn: (title: string) => readonly string[],
): Promise<readonly string[]> {
  const rows = await store.rows<{ title: string }>(
    sql`SELECT ifNull(nullIf(e.title, ''), m.question) AS title FROM (SELECT event_slug, argMax(question, ifNull(volume_24h, 0)) AS question, sum(volume_24h) AS volume FROM polymarket_markets FINAL WHERE NOT closed AND active AND event_slug != '' GROUP BY event_slug ORDER BY volume DESC, event_slug LIMIT ${bind("UInt32", EVENTS)}) AS m LEFT JOIN (SELECT slug, title FROM polymarket_events FINAL WHERE NOT closed) AS e ON e.slug = m.event_slug ORDER BY m.volume DESC, m.event_slug`,
  );
  const byName = new Map<string, string>();
  for (const term of rows.flatMap(({ title }) => namesIn(title)).filter(isReporting)) {
    const name = term.toLowerCase();
    if (!byName.has(name)) byName.set(name, term);
    if (byName.size === MAX_TERMS) break;
  }
  return [...byName.values()];
}

function isReporting(term: string): boolean {
  return [...term.matchAll(/\p{L}/gu)].length >= MIN_LETTERS && term.length <= MAX_LENGTH;
}
