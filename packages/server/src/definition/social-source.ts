/** Sources of posts. For coverage a source is a venue of its own, because each can be off. */
export const SOCIAL_SOURCES = ["bluesky", "hackernews", "gdelt", "x"] as const;
export type SocialSource = (typeof SOCIAL_SOURCES)[number];

/** The action or expectation a post expresses about a market, apart from its sentiment. */
export const STANCES = ["none", "buy_yes", "buy_no", "up", "down"] as const;
export type Stance = (typeof STANCES)[number];
