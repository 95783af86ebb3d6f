/** Where posts come from. A source is a venue of its own for coverage: each can be off. */
export const SOCIAL_SOURCES = ["bluesky", "hackernews", "gdelt", "x"] as const;
export type SocialSource = (typeof SOCIAL_SOURCES)[number];

/** What a post says to do or expects of a market, apart from how it feels. */
export const STANCES = ["none", "buy_yes", "buy_no", "up", "down"] as const;
export type Stance = (typeof STANCES)[number];
