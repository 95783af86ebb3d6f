import { SOCIAL_SOURCES } from "./social-source.ts";

/** Whom a stream gathers from. */
export const VENUES = ["polymarket", "kalshi", ...SOCIAL_SOURCES] as const;
export type Venue = (typeof VENUES)[number];
