/** Sources of posts. For coverage a source is a venue of its own, because each can be off. */
export const SOCIAL_SOURCES = ["bluesky", "hackernews", "gdelt", "x"] as const;
export type SocialSource = (typeof SOCIAL_SOURCES)[number];

/** The action or expectation a post expresses about a market, apart from its sentiment. */
export const STANCES = ["none", "buy_yes", "buy_no", "up", "down"] as const;
export type Stance = (typeof STANCES)[number];

/** Sources that streams collect from. */
export const VENUES = ["polymarket", "kalshi", ...SOCIAL_SOURCES] as const;
export type Venue = (typeof VENUES)[number];

/**
 * A venue has no data before this time: Polymarket's contracts came to Polygon in September 2020, Kalshi opened to the
 * public in July 2021. Requests without a start begin here.
 */
const BEGAN: Partial<Record<Venue, number>> = {
  polymarket: Date.UTC(2020, 8, 1),
  kalshi: Date.UTC(2021, 5, 1),
};

/** The earliest time a venue can have rows, in Unix ms; unbounded for sources other than exchanges. */
export const venueBegan = (venue: Venue): number => BEGAN[venue] ?? Number.NEGATIVE_INFINITY;

/** Payments of a venue to a wallet other than from trades; in upper case these are the Data API's activity types. */
export const INCOME_KINDS = ["reward", "maker_rebate", "taker_rebate", "referral_reward", "yield"] as const;

/** Origin of a raw payload, in the order of the column's values: an HTTP response or a websocket frame. */
export const PAYLOAD_KINDS = ["http", "frame"] as const;

/** How a key's requests are parsed: as documented, or as programs for services with the same wire format send them. */
export const KEY_MODES = ["strict", "compatible"] as const;
/** One of these. */
export type KeyMode = (typeof KEY_MODES)[number];

/** Codes that sources still send although they were replaced. */
const REPLACED: Readonly<Record<string, string>> = { iw: "he", in: "id", ji: "yi" };
/** Tags that carry no language: undetermined, no linguistic content, multiple, uncoded. */
const UNKNOWN = new Set(["und", "zxx", "mul", "mis"]);

/** The language of a source's tag (`en-GB`, `EN`, `iw`), as ISO 639-1 where it has a code; empty if it gives none. */
export function languageCode(tag: string): string {
  const code = /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag.slice(0, 40))?.[1]?.toLowerCase() ?? "";
  // X sends qme, qht, qst… for posts of only media, hashtags or cashtags: q** is for private use.
  if (UNKNOWN.has(code) || /^q[a-z]{2}$/.test(code)) return "";
  return REPLACED[code] ?? code;
}
